/** What `nsfw: false` keeps out: prompts by a list of words, images by a classifier. */
import type { Catalogue } from '../engines/catalogue.ts';
import { EngineError, type EngineCall, type EngineImage } from '../engines/contract/index.ts';
import { longestPrompt } from '../schemas/fields.ts';
import { refusal } from './prompt-words.ts';

/** The catalogue's name of the classifier. A catalogue without it lets all images pass. */
const classifier = 'nsfw';

/** From this likelihood on an image is refused. */
const threshold = 0.8;

/** @throws EngineError `content_refused` when a call asks for what its `nsfw` does not allow */
export function checkPrompt({ params }: EngineCall): void {
  if (!('nsfw' in params) || params.nsfw) return;
  const said: object = 'facts' in params ? params.facts : params;
  const texts = ['prompt', 'instruction', 'text'].map((name) => (said as Record<string, unknown>)[name]);
  for (const text of texts.filter((value) => typeof value === 'string')) {
    const reason = refusal(text);
    if (reason) throw new EngineError('content_refused', `The prompt asks for ${reason} content and nsfw is false`);
  }
}

/** @throws EngineError when what a language model made of a prompt is none that a client may send */
export function checkEnhanced(prompt: string): void {
  const length = [...prompt].length;
  if (length > 0 && length <= longestPrompt) return;
  throw new EngineError('provider_rejected', `The enhanced prompt has ${length} characters`);
}

/** Images that are not pictures of anything (masks, depth maps) need no check. */
const exempt: readonly EngineCall['task'][] = ['segment', 'estimate-depth'];

/** @throws EngineError `content_refused` when one of a call's images shows what its `nsfw` does not allow */
export async function checkImages(
  catalogue: Catalogue,
  { task, params, idempotencyKey }: EngineCall,
  images: readonly EngineImage[],
  signal: AbortSignal,
): Promise<void> {
  if (!('nsfw' in params) || params.nsfw || exempt.includes(task) || !catalogue.has(classifier)) return;
  const [judge] = catalogue.model(classifier).bindings;
  if (!judge) return;
  const engine = await catalogue.engine(judge.engine);
  for (const { bytes } of images) {
    const call = { task: 'judge-image', model: classifier, idempotencyKey, params: { image: bytes } } as const;
    const { nsfw = 0 } = await engine.run(call, { signal });
    if (nsfw >= threshold) {
      const what = task === 'prepare-image' ? `The image in "${params.field}"` : 'The result';
      throw new EngineError('content_refused', `An image is not safe for work (${nsfw.toFixed(2)}) and nsfw is false`, {
        publicMessage: `${what} was refused as not safe for work. Use another image, or allow it with "nsfw": true.`,
      });
    }
  }
}
