/** Opens a provider's engine: its image models by the protocol, its language models by language engines. */
import type { BindingEntry, EngineEntry } from '../../schemas/engines-file.ts';
import { EngineError, type Engine, type Task } from '../contract/index.ts';
import { createUpstreamEngine, type UpstreamModel } from './engine.ts';
import { isImageTask } from './image-tasks.ts';
import { compileMapping, type Mapping, optionalFields } from './mapping.ts';
import type { Protocol } from './provider.ts';

/** A provider's model that one of our models is bound to. */
export interface ProviderModel {
  /** The provider's name, or the full path of a model that is a file. */
  model: string;
  /** The name in the operator's file. */
  label: string;
  /** Null for a language model, which needs no mapping. */
  mapping: Mapping | null;
  output: UpstreamModel['output'];
  /** Whether the model accepts requests with `nsfw: true`. */
  acceptsNsfw: boolean;
}

interface BindingOptions {
  task: Task;
  entry: BindingEntry;
  /** Folder of the operator's file. */
  folder: string;
}

/** @throws Error with a message for the operator when the binding is wrong */
export async function bindModel(protocol: Protocol, { task, entry, folder }: BindingOptions): Promise<ProviderModel> {
  const { model: label, output, nsfw: acceptsNsfw = true } = entry;
  if (label === undefined) throw new Error('has no "model". Add the provider’s name for the model');
  const model = protocol.localModel?.resolve(label, folder) ?? label;
  const pointers = { images: output?.images ?? protocol.output, seed: output?.seed ?? null };
  if (task === 'write') {
    if (!protocol.languageModel) throw new Error(`the protocol ${protocol.name} has no language models`);
    const field = (['nsfw', 'maxInputPixels'] as const).find((name) => entry[name] !== undefined);
    if (field) throw new Error(`has "${field}", which is for image models. Remove it`);
    return { model, label, mapping: null, output: pointers, acceptsNsfw };
  }
  if (!isImageTask(task) || !protocol.tasks.includes(task)) {
    throw new Error(`the protocol ${protocol.name} does not support the task ${task}`);
  }
  const template = entry.input ?? protocol.defaultMapping?.[task];
  if (!template) throw new Error(`has no "input". Map our fields to those of ${label}`);
  const fields = Object.keys(template);
  const mistakes = (await protocol.localModel?.check(model, fields, optionalFields(task, template))) ?? [];
  if (mistakes.length > 0) throw new Error(mistakes.join('; '));
  return { model, label, mapping: compileMapping(task, { ...template }), output: pointers, acceptsNsfw };
}

interface EngineOptions {
  name: string;
  protocol: Protocol;
  entry: EngineEntry;
  apiKey: string | undefined;
  models: Readonly<Record<string, ProviderModel>>;
}

export async function openEngine({ name, protocol, entry, apiKey, models }: EngineOptions): Promise<Engine> {
  const options = { name, baseUrl: entry.baseUrl, apiKey };
  const imageModels: Record<string, UpstreamModel> = {};
  const languageEngines: Record<string, Engine> = {};
  for (const [ours, { model, label, mapping, output, acceptsNsfw }] of Object.entries(models)) {
    if (mapping) imageModels[ours] = { model, label, mapping, output, acceptsNsfw };
    else if (protocol.languageModel) {
      languageEngines[ours] = await protocol.languageModel(options, {
        model,
        vision: entry.vision,
        jsonSchema: entry.jsonSchema,
      });
    }
  }
  const upstream = createUpstreamEngine({ name, protocol, provider: protocol.connect(options), models: imageModels });
  return {
    ...upstream,
    tasks: [...protocol.tasks, 'write'],
    async run(call, context) {
      if (call.task !== 'write') return upstream.run(call, context);
      const engine = languageEngines[call.model];
      if (!engine) {
        throw new EngineError('internal_error', `The language model ${call.model} is not bound to the engine ${name}`);
      }
      await context.remote?.acquireSlot();
      return engine.run(call, context);
    },
    async close() {
      await Promise.all([upstream.close(), ...Object.values(languageEngines).map((engine) => engine.close())]);
    },
  };
}
