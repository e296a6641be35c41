/** The embedded engines: pictures, photographs and prompts, on the worker's own CPU. Need no network. */
import type { OutputFormat } from '../../schemas/image.ts';
import type { Task } from '../../schemas/tasks.ts';
import { EngineError, type Engine, type EngineImage } from '../engine.ts';
import { jobs } from './jobs.ts';
import { createPool } from './pool.ts';
import type { Made } from './raster.ts';
import { writeByRules } from './rules/index.ts';

const tasks: readonly Task[] = [...(Object.keys(jobs) as (keyof typeof jobs)[]), 'write'];

export function createLocalEngine(options: { threads?: number } = {}): Engine {
  const pool = createPool(options.threads);
  return {
    name: 'local',
    tasks,
    async run({ task, model, params }, { signal }) {
      signal.throwIfAborted();
      if (task === 'write') return { model: 'local/rules', written: writeByRules(params) };
      if (task === 'prepare-image') throw new EngineError('internal_error', 'The local engine prepares no images.');
      const result = await pool.run({ task, model, params }, signal);
      if (typeof result === 'number') return { model: 'local/nsfw', nsfw: result };
      if (typeof result === 'string') return { model: 'local/palette', text: result };
      const format = 'outputFormat' in params ? params.outputFormat : 'png';
      return { model: result.model, images: [imageOf(result, format)] };
    },
    close: () => pool.close(),
  };
}

function imageOf({ bytes, width, height, seed }: Made, format: OutputFormat): EngineImage {
  return { bytes, contentType: `image/${format}`, width, height, seed };
}
