/** The catalogue as an operator's file binds it: models to providers, in order, with what each provider allows. */
import ms, { type StringValue } from 'ms';
import type { BindingEntry, EngineEntry, EnginesFile } from '../schemas/engines-file.ts';
import type { Mistake } from '../schemas/mistake.ts';
import type { Task } from '../schemas/tasks.ts';
import type { Binding, Bindings, BoundModel, EngineSource } from './catalogue.ts';
import { bindModel, openEngine, type ProviderModel } from './upstream/open.ts';
import type { Protocol } from './upstream/provider.ts';
import { loadProtocol } from './upstream/protocols.ts';

/** Milliseconds. */
const defaultTimeout = 5 * 60_000;
/** Milliseconds; a workflow that asks several engines in rounds for longer grows a history without end. */
const longestDeadline = 6 * 3600_000;
/** Milliseconds that a stop lets calls end whose answer would be lost with their worker. */
const drain = 50_000;
/** Calls at once in one worker process, where a provider sets no limit. They wait for the network. */
const defaultConcurrency = 32;

/** In the file: the embedded engine of a model. */
const embeddedName = 'local';

export interface Environment {
  /** Of the file. */
  folder: string;
  /** The API keys, by the names of their variables. */
  key(variable: string): string | undefined;
}

interface Asked {
  model: string;
  task: Task;
  entry: BindingEntry;
}

interface Configured extends Bindings {
  /** What a schema cannot say. Empty when the file can be used. */
  mistakes: Mistake[];
}

export async function configured(file: EnginesFile, environment: Environment, embedded: Bindings): Promise<Configured> {
  const mistakes: Mistake[] = [];
  const protocols = await loadProtocols(file);
  const models: Record<string, BoundModel> = { ...embedded.models };
  const bound = new Map<string, Record<string, ProviderModel>>();
  for (const [name, entry] of Object.entries(file.engines)) checkKey(name, entry);
  for (const [model, entries] of Object.entries(file.models)) {
    const task = (embedded.models[model]?.task ?? file.tasks?.[model]) as Task | undefined;
    if (!task) {
      mistakes.push({ path: `/models/${model}`, message: 'is not a model of ours. Say under "tasks" what it does' });
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
    if (!bound) mistakes.push({ path, message: 'is not a model' });
    else if (deadline > longestDeadline) mistakes.push({ path, message: 'is more than 6h' });
    // A copy: that of test keys, which embedded engines make, is as it was.
    else models[model] = { ...bound, deadline };
  }
  return { models, sources: { ...embedded.sources, ...Object.fromEntries(sources()) }, mistakes };

  function checkKey(name: string, { protocol, key, baseUrl }: EngineEntry): void {
    const path = `/engines/${name}`;
    if (name === embeddedName || Object.hasOwn(embedded.sources, name)) {
      mistakes.push({ path, message: 'is the name of an embedded engine. Take another.' });
    } else if (key !== undefined && !environment.key(key)) {
      mistakes.push({ path: `${path}/key`, message: `the environment variable ${key} is not set` });
    } else if (key === undefined && baseUrl === undefined && protocols.get(protocol)?.needsKey) {
      mistakes.push({ path, message: 'needs "key": the name of the environment variable that holds its API key' });
    }
  }

  async function bind({ model, task, entry }: Asked, path: string): Promise<Binding[]> {
    const own = embedded.models[model]?.bindings;
    if (entry.engine === embeddedName && own) return [...own];
    const engine = file.engines[entry.engine];
    const protocol = engine && protocols.get(engine.protocol);
    if (!protocol) {
      mistakes.push({ path: `${path}/engine`, message: `there is no engine "${entry.engine}" under "engines"` });
      return [];
    }
    // A rate of its own means a task queue of its own.
    const name = entry.rate ? `${entry.engine}.${model}` : entry.engine;
    const others = bound.get(name) ?? {};
    bound.set(name, others);
    try {
      if (others[model]) throw new Error('names the same engine twice');
      const provided = await bindModel(protocol, { task, entry, folder: environment.folder });
      others[model] = provided;
      const { timeout, priceClass } = entry;
      const refuses = provided.mapping ? { refuses: provided.mapping.refuses } : {};
      return [{ engine: name, timeout: timeout ? duration(timeout) : defaultTimeout, priceClass, ...refuses }];
    } catch (error) {
      mistakes.push({ path, message: error instanceof Error ? error.message : 'is wrong' });
      return [];
    }
  }

  function* sources(): Generator<[string, EngineSource]> {
    for (const [name, ownModels] of bound) {
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
          concurrency: limits.concurrent ?? defaultConcurrency,
          ...(protocol.answersAtOnce && { drain }),
          limits,
        },
      ];
    }
  }
}

async function loadProtocols({ engines }: EnginesFile): Promise<Map<string, Protocol>> {
  const names = [...new Set(Object.values(engines).map(({ protocol }) => protocol))];
  return new Map(await Promise.all(names.map(async (name) => [name, await loadProtocol(name)] as const)));
}

/** The schema has checked its form. */
const duration = (text: string): number => ms(text as StringValue);
