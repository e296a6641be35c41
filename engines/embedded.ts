/** The default catalogue: every model on the embedded engine, which needs no network and no key. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { faceModels } from '../schemas/face-models.ts';
import type { Task } from '../schemas/tasks.ts';
import type { LanguageEngineOptions } from './language/openai-compatible.ts';
import type { Bindings } from './catalogue.ts';
import { EngineError } from './contract/index.ts';

const minute = 60_000;

/** Embedded models: what each does, and the time that one call may take. Large images are enlarged for minutes. */
const own: Readonly<Record<string, readonly [Task, number]>> = {
  selena: ['text-to-image', 2 * minute],
  quantum: ['text-to-image', 2 * minute],
  hamilton: ['text-to-image', 2 * minute],
  'style-dna': ['text-to-image', 2 * minute],
  'style-measure': ['measure-style', minute],
  seer: ['write', minute],
  stylist: ['write', minute],
  textcraft: ['write', minute],
  nsfw: ['judge-image', minute],
  'selena-variete': ['vary-image', 3 * minute],
  'photo-pilot': ['edit-image', 5 * minute],
  ...Object.fromEntries(faceModels.map(({ id }) => [id, ['refine-face', 3 * minute]])),
  'face-swap': ['swap-face', 3 * minute],
  upscaling: ['upscale', 20 * minute],
  'detailer-upscaler': ['sharpen-detail', 20 * minute],
  'remove-background': ['remove-background', 3 * minute],
  segmentation: ['segment', 3 * minute],
  'depth-map': ['estimate-depth', 3 * minute],
};

/** What may take minutes. It has threads of its own, and never all of them, so that quick work does not wait behind it. */
const large = ['upscaling', 'detailer-upscaler'];

/** Texts at once in one worker process: they wait for the network, or take a millisecond. */
const writtenAtOnce = 32;

/** For what takes a millisecond: a text that keeps the rules busy is not to keep others waiting for long. */
const ruled = 10_000;

/** @param language an OpenAI-compatible model that writes in place of the embedded rules */
export function embedded(language: Omit<LanguageEngineOptions, 'name'> | null = null): Bindings {
  const threads = availableParallelism();
  const largeAtOnce = Math.max(1, threads >> 1);
  // What is written: by a language model where one is configured, by rules elsewhere.
  const engineOf = (model: string, task: Task) => {
    if (task === 'write') return language ? 'language' : 'rules';
    return large.includes(model) ? 'local-large' : 'local';
  };
  // Without the package there is no classifier either, and images pass unseen: a provider's own check is all there is.
  const bound = Object.entries(own).filter(([model]) => model !== 'nsfw' || isInstalled());
  const models = bound.map(([model, [task, timeout]]) => {
    const engine = engineOf(model, task);
    return [model, { task, bindings: [{ engine, timeout: engine === 'rules' ? ruled : timeout }] }] as const;
  });
  return {
    models: Object.fromEntries(models),
    sources: {
      ...(language && {
        language: {
          load: async () => {
            const { createLanguageEngine } = await import('./language/openai-compatible.ts');
            return createLanguageEngine({ name: 'language', ...language });
          },
          concurrency: writtenAtOnce,
        },
      }),
      rules: {
        load: async () => (await local()).createRulesEngine(),
        concurrency: writtenAtOnce,
      },
      'local-large': {
        load: async () => (await local()).createLocalEngine({ threads: largeAtOnce }),
        concurrency: largeAtOnce,
      },
      local: {
        load: async () => (await local()).createLocalEngine({ threads }),
        // One more than threads, so that a thread need not wait while a picture is being stored.
        concurrency: threads + 1,
      },
    },
  };
}

function isInstalled(): boolean {
  try {
    return Boolean(createRequire(import.meta.url).resolve('@atelier/local'));
  } catch {
    return false;
  }
}

/** The package of the embedded engines, which a deployment on providers can leave out. */
async function local() {
  try {
    return await import('@atelier/local');
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing
      ? new EngineError('provider_rejected', 'The embedded engines are not installed', { cause: error })
      : error;
  }
}
