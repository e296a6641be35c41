/** The embedded engine: pictures by the sketch illustrator, prompts by the rules writer. Needs no network and no weights. */
import { hamilton } from '../../schemas/families/hamilton.ts';
import { quantum } from '../../schemas/families/quantum.ts';
import { selena } from '../../schemas/families/selena.ts';
import type { EnhancePrompt, TextToImage } from '../../schemas/plan.ts';
import { EngineError, type Engine, type EngineResult } from '../engine.ts';
import { refusal } from './nsfw.ts';
import { createPool } from './pool.ts';
import { enhance } from './rules/enhance.ts';

const families = new Set<string>([selena.family, quantum.family, hamilton.family]);

function refuseUnlessAllowed(params: { prompt: string; nsfw: boolean }): void {
  if (params.nsfw) return;
  const reason = refusal(params.prompt);
  if (reason) throw new EngineError('content_refused', `The prompt asks for ${reason} content and nsfw is false.`);
}

export function createLocalEngine(options: { threads?: number } = {}): Engine {
  const pool = createPool(options.threads);

  async function textToImage(family: string, params: TextToImage, signal: AbortSignal): Promise<EngineResult> {
    if (!families.has(family)) throw new EngineError('internal_error', `The local engine has no family "${family}".`);
    const bytes = await pool.draw({ family, params }, signal);
    const { width, height, seed, outputFormat } = params;
    return { model: 'local/sketch', images: [{ bytes, contentType: `image/${outputFormat}`, width, height, seed }] };
  }

  function enhancePrompt(params: EnhancePrompt): EngineResult {
    return { model: 'local/rules', text: enhance(params.prompt, params.style) };
  }

  return {
    name: 'local',
    tasks: ['text-to-image', 'enhance-prompt'],
    async run(call, { signal }) {
      signal.throwIfAborted();
      refuseUnlessAllowed(call.params);
      if (call.task === 'enhance-prompt') return enhancePrompt(call.params);
      return textToImage(call.model, call.params, signal);
    },
    close: () => pool.close(),
  };
}
