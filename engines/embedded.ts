/** The default catalogue: every model on the embedded engine, which needs no network and no key. */
import { availableParallelism } from 'node:os';
import { faceModels } from '../schemas/face-models.ts';
import type { LanguageEngineOptions } from './language/openai-compatible.ts';
import type { Bindings } from './catalogue.ts';

const minute = 60_000;

/** Embedded models by the time that one call may take. Large images are enlarged for minutes. */
const timeouts: Readonly<Record<string, number>> = {
  selena: 2 * minute,
  quantum: 2 * minute,
  hamilton: 2 * minute,
  'style-dna': 2 * minute,
  'style-measure': minute,
  seer: minute,
  stylist: minute,
  textcraft: minute,
  nsfw: minute,
  'selena-variete': 3 * minute,
  'photo-pilot': 5 * minute,
  ...Object.fromEntries(faceModels.map(({ id }) => [id, 3 * minute])),
  'face-swap': 3 * minute,
  upscaling: 20 * minute,
  'detailer-upscaler': 20 * minute,
  'remove-background': 3 * minute,
  segmentation: 3 * minute,
  'depth-map': 3 * minute,
};

/** What is written: by a language model where one is configured, by rules elsewhere. */
const written = ['seer', 'stylist', 'textcraft'];

/** What may take minutes. It has threads of its own, and never all of them, so that quick work does not wait behind it. */
const large = ['upscaling', 'detailer-upscaler'];

/** Texts at once in one worker process: they wait for the network, or take a millisecond. */
const writtenAtOnce = 32;

/** @param language an OpenAI-compatible model that writes in place of the embedded rules */
export function embedded(language: Omit<LanguageEngineOptions, 'name'> | null = null): Bindings {
  const threads = availableParallelism();
  const largeAtOnce = Math.max(1, threads >> 1);
  const engineOf = (model: string) => {
    if (written.includes(model)) return language ? 'language' : 'rules';
    return large.includes(model) ? 'local-large' : 'local';
  };
  const models = Object.entries(timeouts).map(
    ([model, timeout]) => [model, { engine: engineOf(model), timeout }] as const,
  );
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
        load: async () => (await import('@atelier/local')).createRulesEngine(),
        concurrency: writtenAtOnce,
      },
      'local-large': {
        load: async () => (await import('@atelier/local')).createLocalEngine({ threads: largeAtOnce }),
        concurrency: largeAtOnce,
      },
      local: {
        load: async () => (await import('@atelier/local')).createLocalEngine({ threads }),
        // One more than threads, so that a thread need not wait while a picture is being stored.
        concurrency: threads + 1,
      },
    },
  };
}
