/** The catalogue: binds the model names of plans to engines, and loads the engines. */
import type { ProviderLimits } from '../schemas/engines-file.ts';
import type { EngineRole } from '../runtime/worker-roles.ts';
import type { Engine, Task } from './contract/index.ts';

/** An engine that a model is bound to. */
export interface Binding {
  /** Name of the engine, which is also the suffix of its task queue's name. */
  engine: string;
  /** Milliseconds that one call may take. */
  timeout: number;
  /** Returns the fields of a call that this engine does not support. Absent for an engine that supports all. */
  refuses?: (params: Readonly<Record<string, unknown>>) => string[];
  /** Maximum pixels of each input image. Absent for an engine that accepts all. */
  maxInputPixels?: number | undefined;
  /** Label for the operator's own accounting. */
  priceClass?: string | undefined;
}

export interface BoundModel {
  task: Task;
  /** In order of preference; the next engine is used when one is unavailable. Never empty. */
  bindings: readonly Binding[];
  /** Milliseconds that an artwork waits while all engines are unavailable. Default: half an hour. */
  deadline?: number | undefined;
}

export interface EngineSource {
  /** Loads the engine on first use. */
  load(): Promise<Engine>;
  /** The role of the workers that run the engine. */
  role: EngineRole;
  /** Maximum concurrent calls of one worker process. */
  concurrency: number;
  /** Milliseconds in which calls may complete when a worker stops. Default: that of embedded engines. */
  drain?: number;
  /** Whether the result of a call is lost when its worker dies, because the provider keeps no job to read it from. */
  isDirect?: boolean;
  /** Present for a provider's engine. Each of its calls needs a slot. */
  limits?: ProviderLimits;
}

export interface Bindings {
  models: Readonly<Record<string, BoundModel>>;
  sources: Readonly<Record<string, EngineSource>>;
}

export interface Catalogue {
  has(model: string): boolean;
  /**
   * Returns the bindings of a model.
   * @param test whether the artwork belongs to a test key, which uses embedded engines only
   * @throws Error when the model is not bound
   */
  model(name: string, test?: boolean): BoundModel;
  /** All engines by name. */
  readonly engines: ReadonlyMap<string, EngineSource>;
  /** The names of the engines of providers, as under `engines` in the file. */
  readonly providers: readonly string[];
  /**
   * Returns the source of an engine, or undefined. For the engine of a binding with its own rate (`fal.selena`) whose
   * binding is gone, returns the source of its provider (`fal`).
   */
  source(name: string): EngineSource | undefined;
  /** Returns the engine that `source` describes. */
  engine(name: string): Promise<Engine>;
  close(): Promise<void>;
}

/** Returns the name of the engine with a provider's settings: a binding with its own rate is an engine of its own. */
const providerOf = (engine: string): string => engine.split('.')[0] ?? engine;

/**
 * @param bindings bindings of live keys
 * @param embedded bindings of test keys
 * @throws Error when a model is bound to an unknown engine
 */
export function createCatalogue({ models, sources }: Bindings, embedded: Bindings = { models, sources }): Catalogue {
  const engines = new Map(Object.entries({ ...embedded.sources, ...sources }));
  for (const [model, { bindings }] of Object.entries({ ...embedded.models, ...models })) {
    for (const { engine } of bindings) {
      if (!engines.has(engine)) throw new Error(`Model ${model} is bound to the unknown engine ${engine}`);
    }
  }
  const providers = [...engines].flatMap(([name, { limits }]) => (limits && providerOf(name) === name ? [name] : []));
  const nameOf = (wanted: string) => (engines.has(wanted) ? wanted : providerOf(wanted));
  const loaded = new Map<string, Promise<Engine>>();
  return {
    engines,
    providers,
    has: (model) => Object.hasOwn(models, model),
    model(name, test = false) {
      const bound = test && Object.hasOwn(embedded.models, name) ? embedded.models[name] : models[name];
      if (!bound || !Object.hasOwn(models, name)) throw new Error(`No engine is bound to the model ${name}`);
      return bound;
    },
    source: (name) => engines.get(nameOf(name)),
    engine(wanted) {
      const name = nameOf(wanted);
      const source = engines.get(name);
      if (!source) return Promise.reject(new Error(`There is no engine ${name}`));
      const engine = loaded.get(name) ?? source.load();
      loaded.set(name, engine);
      // After a failed load, the next call loads the engine again.
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
