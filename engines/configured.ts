/** Builds the catalogue's bindings from an operator's file: the engines of each model, in order, with their rates. */
import ms, { type StringValue } from 'ms';
import type { BindingEntry, EngineEntry, EnginesFile } from '../schemas/engines-file.ts';
import type { Mistake } from '../schemas/mistake.ts';
import type { Task } from '../schemas/tasks.ts';
import type { Binding, Bindings, BoundModel, EngineSource } from './catalogue.ts';
import { bindModel, openEngine, type ProviderModel } from './upstream/open.ts';
import type { Protocol } from './upstream/provider.ts';
import { loadProtocol } from './upstream/protocols.ts';

/** Milliseconds that one call may take when its binding has no `timeout`. */
const defaultTimeout = 5 * 60_000;
/** Milliseconds. A workflow that tries several engines for longer would have too long a history. */
const longestDeadline = 6 * 3600_000;
/**
 * Milliseconds in which calls may complete when a worker stops. The result of a direct provider would be lost; another
 * worker continues the job of a queue.
 */
const drain = { direct: 50_000, queue: 1000 } as const;
/** Maximum concurrent calls of one worker process where a provider has no limit. The calls wait for the network. */
const defaultConcurrency = 32;

/** Name for the embedded engine of a model in the file. */
const embeddedName = 'local';

export interface Environment {
  /** Folder of the file. */
  folder: string;
  /** Returns an API key by the name of its environment variable. */
  key(variable: string): string | undefined;
}

interface BindingPlace {
  model: string;
  task: Task;
  entry: BindingEntry;
}

interface Configured extends Bindings {
  /** Mistakes that the file's schema cannot detect. Empty when the file is usable. */
  mistakes: Mistake[];
}

/** Returns the bindings of the file and of all embedded models that the file does not bind. */
export async function configured(file: EnginesFile, environment: Environment, embedded: Bindings): Promise<Configured> {
  const mistakes: Mistake[] = [];
  const protocols = await loadProtocols(file);
  const models: Record<string, BoundModel> = { ...embedded.models };
  const bound = new Map<string, Record<string, ProviderModel>>();
  for (const [name, entry] of Object.entries(file.engines)) checkKey(name, entry);
  for (const [model, entries] of Object.entries(file.models)) {
    const task = (embedded.models[model]?.task ?? file.tasks?.[model]) as Task | undefined;
    if (!task) {
      mistakes.push({ path: `/models/${model}`, message: 'is not a known model. Add its task to "tasks"' });
      continue;
    }
    const bindings: Binding[] = [];
    for (const [index, entry] of entries.entries()) {
      bindings.push(...(await bind({ model, task, entry }, `/models/${model}/${index}`)));
    }
    if (bindings.length > 0) models[model] = { task, bindings };
  }
  for (const [model, text] of Object.entries(file.deadlines ?? {})) {
    const path = `/deadlines/${model}`;
    const bound = Object.hasOwn(models, model) ? models[model] : undefined;
    const deadline = duration(text);
    if (!bound) mistakes.push({ path, message: 'is not a known model' });
    else if (deadline > longestDeadline) mistakes.push({ path, message: 'is more than 6h' });
    // A copy, because test keys use the embedded bindings unchanged.
    else models[model] = { ...bound, deadline };
  }
  return { models, sources: { ...embedded.sources, ...Object.fromEntries(sources()) }, mistakes };

  function checkKey(name: string, { protocol, key, baseUrl }: EngineEntry): void {
    const path = `/engines/${name}`;
    if (name === embeddedName || Object.hasOwn(embedded.sources, name)) {
      mistakes.push({ path, message: 'is the name of an embedded engine. Choose another name' });
    } else if (key !== undefined && !environment.key(key)) {
      mistakes.push({ path: `${path}/key`, message: `the environment variable ${key} is not set` });
    } else if (key === undefined && baseUrl === undefined && protocols.get(protocol)?.needsKey) {
      mistakes.push({ path, message: 'has no "key". Add the name of the environment variable that holds its API key' });
    }
  }

  async function bind({ model, task, entry }: BindingPlace, path: string): Promise<Binding[]> {
    const own = embedded.models[model]?.bindings;
    if (entry.engine === embeddedName && own) {
      const field = (['nsfw', 'maxInputPixels'] as const).find((name) => entry[name] !== undefined);
      if (field) mistakes.push({ path: `${path}/${field}`, message: 'is only for providers. Remove it' });
      return [...own];
    }
    const engine = file.engines[entry.engine];
    const protocol = engine && protocols.get(engine.protocol);
    if (!protocol) {
      mistakes.push({ path: `${path}/engine`, message: `there is no engine "${entry.engine}" under "engines"` });
      return [];
    }
    // A binding with its own rate has its own task queue.
    const name = entry.rate ? `${entry.engine}.${model}` : entry.engine;
    const others = bound.get(name) ?? {};
    bound.set(name, others);
    try {
      if (others[model]) throw new Error('has the same engine twice');
      const provided = await bindModel(protocol, { task, entry, folder: environment.folder });
      others[model] = provided;
      const { timeout: given, priceClass, maxInputPixels } = entry;
      const timeout = given ? duration(given) : defaultTimeout;
      return [{ engine: name, timeout, priceClass, maxInputPixels, ...refusalOf(provided) }];
    } catch (error) {
      mistakes.push({ path, message: error instanceof Error ? error.message : 'is invalid' });
      return [];
    }
  }

  function* sources(): Generator<[string, EngineSource]> {
    // An engine without bindings may still hold jobs that were submitted to it.
    const unbound = Object.keys(file.engines).filter((name) => !bound.has(name));
    for (const [name, ownModels] of [...bound, ...unbound.map((name) => [name, {}] as const)]) {
      const entry = file.engines[name.split('.')[0] ?? ''];
      const protocol = entry && protocols.get(entry.protocol);
      if (!protocol) continue;
      const [only] = Object.keys(ownModels);
      const ownRate = file.models[only ?? '']?.find(({ engine }) => name === `${engine}.${only}`)?.rate;
      const limits = ownRate ?? entry.rate ?? {};
      const apiKey = entry.key === undefined ? undefined : environment.key(entry.key);
      yield [
        name,
        {
          load: () => openEngine({ name, protocol, entry, apiKey, models: ownModels }),
          role: 'providers',
          concurrency: limits.concurrent ?? defaultConcurrency,
          drain: protocol.isDirect ? drain.direct : drain.queue,
          isDirect: protocol.isDirect ?? false,
          limits,
        },
      ];
    }
  }
}

function refusalOf({ mapping, acceptsNsfw }: ProviderModel): Pick<Binding, 'refuses'> {
  if (!mapping) return {};
  return {
    refuses: (params) => [...mapping.refuses(params), ...(params['nsfw'] === true && !acceptsNsfw ? ['nsfw'] : [])],
  };
}

async function loadProtocols({ engines }: EnginesFile): Promise<Map<string, Protocol>> {
  const names = [...new Set(Object.values(engines).map(({ protocol }) => protocol))];
  return new Map(await Promise.all(names.map(async (name) => [name, await loadProtocol(name)] as const)));
}

/** Returns milliseconds. The schema has checked the format. */
const duration = (text: string): number => ms(text as StringValue);
