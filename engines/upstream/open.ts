/** Opens a provider's engine: pictures by its protocol, texts by a language engine at the same address and key. */
import type { BindingEntry, EngineEntry } from '../../schemas/engines-file.ts';
import type { Task } from '../../schemas/tasks.ts';
import { EngineError, type Engine } from '../contract/index.ts';
import { createUpstreamEngine, type UpstreamModel } from './engine.ts';
import { compileMapping, type Mapping, openIn } from './mapping.ts';
import type { Protocol } from './provider.ts';

/** One of our models at a provider. */
export interface ProviderModel {
  /** As the provider calls it; the whole path of one that is a file. */
  model: string;
  /** As the operator's file calls it. */
  label: string;
  /** Null for a language model, which takes all that we can say. */
  mapping: Mapping | null;
  output: UpstreamModel['output'];
}

interface Bound {
  task: Task;
  entry: BindingEntry;
  /** Of the file in which it stands. */
  folder: string;
}

/** @throws Error that says what is wrong with the binding, for an operator */
export async function bindModel(protocol: Protocol, { task, entry, folder }: Bound): Promise<ProviderModel> {
  const { model: label, output } = entry;
  if (label === undefined) throw new Error('needs "model": the name that the provider has for it');
  const model = protocol.localModel?.resolve(label, folder) ?? label;
  const where = { images: output?.images ?? protocol.output, seed: output?.seed ?? null };
  if (task === 'write') {
    if (!protocol.languageModel) throw new Error(`the protocol ${protocol.name} has no language models`);
    return { model, label, mapping: null, output: where };
  }
  if (!protocol.tasks.includes(task)) throw new Error(`the protocol ${protocol.name} cannot ${task}`);
  const template = entry.input ?? protocol.defaults?.[task];
  if (!template) throw new Error(`needs "input": what the fields of ${label} become`);
  const wrong = (await protocol.localModel?.check(model, Object.keys(template), openIn(task, template))) ?? [];
  if (wrong.length > 0) throw new Error(wrong.join('; '));
  return { model, label, mapping: compileMapping(task, { ...template }), output: where };
}

interface Options {
  name: string;
  protocol: Protocol;
  entry: EngineEntry;
  apiKey: string | undefined;
  models: Readonly<Record<string, ProviderModel>>;
}

export async function openEngine({ name, protocol, entry, apiKey, models }: Options): Promise<Engine> {
  const reach = { name, baseUrl: entry.baseUrl, apiKey };
  const pictured: Record<string, UpstreamModel> = {};
  const written: Record<string, Engine> = {};
  for (const [ours, { model, label, mapping, output }] of Object.entries(models)) {
    if (mapping) pictured[ours] = { model, label, mapping, output };
    else if (protocol.languageModel) {
      written[ours] = await protocol.languageModel(reach, {
        model,
        vision: entry.vision,
        jsonSchema: entry.jsonSchema,
      });
    }
  }
  const upstream = createUpstreamEngine({ name, protocol, provider: protocol.connect(reach), models: pictured });
  return {
    ...upstream,
    tasks: [...protocol.tasks, 'write'],
    async run(call, context) {
      if (call.task !== 'write') return upstream.run(call, context);
      const engine = written[call.model];
      if (!engine)
        throw new EngineError('internal_error', `The engine ${name} has no language model for ${call.model}`);
      await context.remote?.acquireSlot();
      return engine.run(call, context);
    },
    async close() {
      await Promise.all([upstream.close(), ...Object.values(written).map((engine) => engine.close())]);
    },
  };
}
