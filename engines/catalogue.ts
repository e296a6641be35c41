/** Which engines answer for the model names that plans use, and where the engines come from. */
import type { Task } from '../schemas/tasks.ts';
import type { Engine } from './contract/index.ts';

/** An engine that a model is bound to. */
export interface Binding {
  /** Name of an engine, which is also the end of its task queue's name. */
  engine: string;
  /** Milliseconds that one call may take. */
  timeout: number;
  /** Fields of a call that this engine cannot honour. Without it, it can honour all. */
  refuses?: (params: Readonly<Record<string, unknown>>) => string[];
  /** For the operator's own books. */
  priceClass?: string | undefined;
}

export interface BoundModel {
  task: Task;
  /** In order: the next is taken when one is down. Never empty. */
  bindings: readonly Binding[];
  /** Milliseconds that an artwork waits for engines that are down. Default half an hour. */
  deadline?: number | undefined;
}

/** What a provider allows, over all workers together. */
export interface Rate {
  perSecond?: number | undefined;
  concurrent?: number | undefined;
}

export interface EngineSource {
  /** Loads the engine when it is first used. */
  load(): Promise<Engine>;
  /** Calls at once in one worker process. */
  concurrency: number;
  /** Milliseconds that a stop lets its calls end, where that is more than usual. */
  drain?: number;
  /** Present: it is a provider's, and every call asks whether it may begin. */
  limits?: Rate;
}

export interface Bindings {
  models: Readonly<Record<string, BoundModel>>;
  sources: Readonly<Record<string, EngineSource>>;
}

export interface Catalogue {
  has(model: string): boolean;
  /**
   * @param test for the artwork of a test key, which embedded engines make
   * @throws Error when no such model is bound
   */
  model(name: string, test?: boolean): BoundModel;
  /** Of all engines, by name. */
  readonly engines: ReadonlyMap<string, EngineSource>;
  engine(name: string): Promise<Engine>;
  close(): Promise<void>;
}

/**
 * @param bindings of live keys
 * @param embedded of test keys
 * @throws Error when a model is bound to an engine that is not there
 */
export function createCatalogue({ models, sources }: Bindings, embedded: Bindings = { models, sources }): Catalogue {
  const engines = new Map(Object.entries({ ...embedded.sources, ...sources }));
  for (const [model, { bindings }] of Object.entries({ ...embedded.models, ...models })) {
    for (const { engine } of bindings) {
      if (!engines.has(engine)) throw new Error(`Model ${model} is bound to the unknown engine ${engine}`);
    }
  }
  const loaded = new Map<string, Promise<Engine>>();
  return {
    engines,
    has: (model) => Object.hasOwn(models, model),
    model(name, test = false) {
      const bound = test && Object.hasOwn(embedded.models, name) ? embedded.models[name] : models[name];
      if (!bound || !Object.hasOwn(models, name)) throw new Error(`No engine is bound to the model ${name}`);
      return bound;
    },
    engine(name) {
      const source = engines.get(name);
      if (!source) return Promise.reject(new Error(`There is no engine ${name}`));
      const engine = loaded.get(name) ?? source.load();
      loaded.set(name, engine);
      // A load that failed is tried again by the next call.
      engine.catch(() => loaded.delete(name));
      return engine;
    },
    async close() {
      for (const engine of await Promise.allSettled(loaded.values())) {
        if (engine.status === 'fulfilled') await engine.value.close();
      }
    },
  };
}
