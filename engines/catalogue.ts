/** Binds the model names that plans use to engines. An operator's file will bind others; these are the embedded ones. */
import type { Engine } from './engine.ts';

export interface Binding {
  /** Name of an engine, which is also the end of its task queue's name. */
  engine: string;
  /** Milliseconds that one call may take. */
  timeout: number;
}

export interface EngineSource {
  /** Loads the engine when it is first used. */
  load(): Promise<Engine>;
  /** Calls at once in one worker process. */
  concurrency: number;
}

/** Which engine answers for which model name, and where the engines come from. */
export interface Bindings {
  models: Readonly<Record<string, Binding>>;
  sources: Readonly<Record<string, EngineSource>>;
}

export interface Catalogue {
  has(model: string): boolean;
  /** @throws Error when no such model is bound */
  binding(model: string): Binding;
  /** The names of all engines that a model is bound to. */
  readonly engines: ReadonlyMap<string, EngineSource>;
  engine(name: string): Promise<Engine>;
  close(): Promise<void>;
}

/** @throws Error when a model is bound to an engine that is not there */
export function createCatalogue({ models, sources }: Bindings): Catalogue {
  const engines = new Map(Object.entries(sources));
  for (const [model, { engine }] of Object.entries(models)) {
    if (!engines.has(engine)) throw new Error(`Model ${model} is bound to the unknown engine ${engine}`);
  }
  const loaded = new Map<string, Promise<Engine>>();
  return {
    engines,
    has: (model) => Object.hasOwn(models, model),
    binding(model) {
      const binding = Object.hasOwn(models, model) ? models[model] : undefined;
      if (!binding) throw new Error(`No engine is bound to the model ${model}`);
      return binding;
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
