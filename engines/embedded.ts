/** The default bindings: every model on an embedded engine, which needs no network and no key. */
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { codeOf } from '../runtime/error-code.ts';
import { faceModels } from '../schemas/face-models.ts';
import type { LanguageEngineOptions } from './language/openai-compatible.ts';
import type { Bindings } from './catalogue.ts';
import { type Engine, EngineError, type Task } from './contract/index.ts';

const minute = 60_000;

/** Task and timeout (milliseconds) of each embedded model. Enlarging a large image takes minutes. */
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

/** Models whose calls may take minutes. They use half of the threads, so that quick calls do not wait for them. */
const slowModels = ['upscaling', 'detailer-upscaler'];

/** Maximum concurrent texts of one worker process. They wait for the network, or take a millisecond. */
const textConcurrency = 32;

/** Milliseconds. Rules take a millisecond; the timeout stops a text that would block other texts. */
const rulesTimeout = 10_000;

/** @param language an OpenAI-compatible model that replaces the embedded rules and reads instructions for edits */
export function embedded(language: Omit<LanguageEngineOptions, 'name'> | null = null): Bindings {
  const threads = availableParallelism();
  const slowThreads = Math.max(1, threads >> 1);
  const engineOf = (model: string, task: Task) => {
    if (task === 'write') return language ? 'language' : 'rules';
    if (task === 'edit-image' && language) return 'local-edit';
    return slowModels.includes(model) ? 'local-large' : 'local';
  };
  // Without the package there is no NSFW classifier, and only the providers check images.
  const bound = Object.entries(own).filter(([model]) => model !== 'nsfw' || isEmbeddedInstalled());
  const models = bound.map(([model, [task, timeout]]) => {
    const engine = engineOf(model, task);
    return [model, { task, bindings: [{ engine, timeout: engine === 'rules' ? rulesTimeout : timeout }] }] as const;
  });
  return {
    models: Object.fromEntries(models),
    sources: {
      ...(language && {
        language: {
          load: () => loadLanguage(language),
          // Its calls wait for the network.
          role: 'providers',
          concurrency: textConcurrency,
        },
        // An engine of its own, because calls with test keys use no language model.
        'local-edit': {
          load: async () => {
            const { editReader } = await import('./language/edits.ts');
            const reader = await loadLanguage(language);
            const local = (await loadPackage()).createLocalEngine({ threads, readEdits: editReader(reader) });
            return { ...local, close: async () => void (await Promise.all([local.close(), reader.close()])) };
          },
          role: 'embedded',
          // More than threads, because calls also wait for the language model.
          concurrency: 2 * threads,
        },
      }),
      rules: {
        load: async () => (await loadPackage()).createRulesEngine(),
        role: 'embedded',
        concurrency: textConcurrency,
      },
      'local-large': {
        load: async () => (await loadPackage()).createLocalEngine({ threads: slowThreads }),
        role: 'embedded',
        concurrency: slowThreads,
      },
      local: {
        load: async () => (await loadPackage()).createLocalEngine({ threads }),
        role: 'embedded',
        // One more than threads, so that no thread is idle while an image is being stored.
        concurrency: threads + 1,
      },
    },
  };
}

async function loadLanguage(language: Omit<LanguageEngineOptions, 'name'>): Promise<Engine> {
  const { createLanguageEngine } = await import('./language/openai-compatible.ts');
  return createLanguageEngine({ name: 'language', ...language });
}

/** Returns whether the package of the embedded engines, which is optional, is installed. */
export function isEmbeddedInstalled(): boolean {
  try {
    return Boolean(createRequire(import.meta.url).resolve('@atelier/local'));
  } catch {
    return false;
  }
}

/** Loads the package of the embedded engines, which is optional. */
async function loadPackage() {
  try {
    return await import('@atelier/local');
  } catch (error) {
    throw codeOf(error) === 'ERR_MODULE_NOT_FOUND'
      ? new EngineError(
          'provider_rejected',
          'The embedded engines are not installed. Install the package @atelier/local.',
          { cause: error },
        )
      : error;
  }
}
