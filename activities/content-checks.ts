/** Enforces `nsfw: false`: checks prompts with a list of words and images with a classifier. */
import type { Catalogue } from '../engines/catalogue.ts';
import { EngineError, type EngineCall, type EngineImage } from '../engines/contract/index.ts';
import { longestPrompt } from '../schemas/fields.ts';
import type { Call } from '../schemas/plan.ts';
import { findBlockedContent } from './prompt-words.ts';

/** The classifier's name in the catalogue. Without a classifier, all images pass. */
export const classifier = 'nsfw';

/** Images with at least this probability are refused. */
const threshold = 0.8;

/** @throws EngineError `content_refused` when a prompt asks for content that the call's `nsfw` does not allow */
export function checkPrompt({ params }: EngineCall): void {
  if (!('nsfw' in params) || params.nsfw) return;
  const fields: object = 'facts' in params ? params.facts : params;
  const texts = ['prompt', 'instruction', 'instructions', 'text'].map(
    (name) => (fields as Record<string, unknown>)[name],
  );
  for (const text of texts.filter((value) => typeof value === 'string')) {
    const reason = findBlockedContent(text);
    if (reason) throw new EngineError('content_refused', `The prompt asks for ${reason} content and nsfw is false`);
  }
}

/** Returns the failure of a call. If a provider has refused content that the client allows, advises another change. */
export function explainRefusal(error: unknown, { params }: Call): unknown {
  const isAllowed = 'nsfw' in params && params.nsfw === true;
  if (!isAllowed || !(error instanceof EngineError) || error.code !== 'content_refused') return error;
  if (error.publicMessage !== undefined) return error;
  return error.with({ publicMessage: 'The model refuses this content, also with "nsfw": true. Change the request.' });
}

/** @throws EngineError `provider_rejected` when a language model's prompt is empty or longer than a client's may be */
export function checkEnhancedPrompt(prompt: string): void {
  const length = [...prompt].length;
  if (length > 0 && length <= longestPrompt) return;
  throw new EngineError('provider_rejected', `The enhanced prompt has ${length} characters`);
}

/** Tasks whose results need no check, because they make masks and depth maps. */
const exempt: readonly EngineCall['task'][] = ['segment', 'estimate-depth'];

/** @throws EngineError `content_refused` when an image shows content that the call's `nsfw` does not allow */
export async function checkImages(
  catalogue: Catalogue,
  { task, params, idempotencyKey }: EngineCall,
  images: readonly EngineImage[],
  signal: AbortSignal,
): Promise<void> {
  if (!('nsfw' in params) || params.nsfw || exempt.includes(task) || !catalogue.has(classifier)) return;
  const [binding] = catalogue.model(classifier).bindings;
  if (!binding) return;
  const engine = await catalogue.engine(binding.engine);
  for (const { bytes } of images) {
    const call = { task: 'judge-image', model: classifier, idempotencyKey, params: { image: bytes } } as const;
    const { nsfw = 0 } = await engine.run(call, { signal });
    if (nsfw >= threshold) {
      const image = task === 'prepare-image' ? `The image in "${params.field}"` : 'The result';
      throw new EngineError('content_refused', `An image is not safe for work (${nsfw.toFixed(2)}) and nsfw is false`, {
        publicMessage: `${image} was refused as not safe for work. Use another image, or allow it with "nsfw": true.`,
      });
    }
  }
}
