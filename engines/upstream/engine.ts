/** An engine that calls a provider: maps a call to the provider's fields, runs it, and converts the output. */
import {
  type Engine,
  type EngineCall,
  type EngineContext,
  EngineError,
  type EngineResult,
  type Remote,
} from '../contract/index.ts';
import { explained } from './explained.ts';
import { failureOf } from './failures.ts';
import type { Mapping } from './mapping.ts';
import { find } from './pointer.ts';
import type { Protocol, Provider, ProviderOutput } from './provider.ts';
import { conform, largestImage } from './result-image.ts';
import { rejectTooLarge } from './result-size.ts';
import { cancelTimeout, runJob } from './run-job.ts';

/** A provider's model that one of our models is bound to. */
export interface UpstreamModel {
  /** The provider's name. */
  model: string;
  /** The name that clients see. */
  label: string;
  mapping: Mapping;
  /** JSON pointers into the provider's output. */
  output: { images: string; seed: string | null };
}

export interface UpstreamOptions {
  name: string;
  protocol: Protocol;
  provider: Provider;
  /** By model name in the catalogue. */
  models: Readonly<Record<string, UpstreamModel>>;
}

const dataUri = /^data:[^,;]*;base64,/u;

export function createUpstreamEngine({ name, protocol, provider, models }: UpstreamOptions): Engine {
  const boundModel = (model: string): UpstreamModel => {
    const found = Object.hasOwn(models, model) ? models[model] : undefined;
    if (!found) throw new EngineError('internal_error', `The model ${model} is not bound to the engine ${name}`);
    return found;
  };
  return {
    name,
    tasks: protocol.tasks,
    async run(call, context) {
      const upstream = boundModel(call.model);
      rejectUnsupported(call, upstream.mapping);
      rejectTooLarge(call);
      try {
        const output = await callProvider(call, upstream, context);
        return await toResult(call, upstream, output, context);
      } catch (error) {
        // An aborted call fails with the reason of the abort.
        context.signal.throwIfAborted();
        throw error;
      }
    },
    async cancel(model, job) {
      if (provider.kind === 'queue') {
        await provider.cancel(boundModel(model).model, job, AbortSignal.timeout(cancelTimeout));
      }
    },
    async ping(signal) {
      await explained(provider, () => provider.ping(signal));
    },
    close: () => provider.close(),
  };

  async function callProvider(
    call: EngineCall,
    { model, mapping }: UpstreamModel,
    context: EngineContext,
  ): Promise<ProviderOutput> {
    const { task, idempotencyKey } = call;
    const request = { model, task, input: mapping.fill({ ...call.params }), idempotencyKey };
    const { signal } = context;
    const remote = requireRemote(context);
    if (provider.kind === 'queue') return runJob(provider, request, { who: name, remote, signal });
    await remote.acquireSlot();
    return explained(provider, () => provider.run(request, signal));
  }

  async function toResult(
    call: EngineCall,
    { label, output: pointers }: UpstreamModel,
    output: ProviderOutput,
    context: EngineContext,
  ): Promise<EngineResult> {
    const [file] = find(output, pointers.images);
    if (file === undefined || file === null) throw failureOf(name, 'no-image');
    const [seed] = pointers.seed === null ? [] : find(output, pointers.seed);
    const bytes = await bytesOf(file, context);
    const image = await explained(provider, () => conform(name, bytes, call, typeof seed === 'number' ? seed : null));
    return { model: `${name}/${label}`, images: [image] };
  }

  async function bytesOf(file: unknown, context: EngineContext): Promise<Uint8Array> {
    if (file instanceof Uint8Array) return file;
    if (typeof file !== 'string') throw failureOf(name, 'no-image');
    if (dataUri.test(file)) return Buffer.from(file.slice(file.indexOf(',') + 1), 'base64');
    const download = await requireRemote(context).download(file, largestImage, context.signal);
    if ('bytes' in download) return download.bytes;
    context.signal.throwIfAborted();
    if (download.error === 'address not allowed') throw failureOf(name, 'forbidden-link');
    throw failureOf(name, download.error === 'too large' ? 'image-too-large' : 'dead-link');
  }
}

/** @throws EngineError `input_invalid` that names the fields which the mapping refuses */
function rejectUnsupported({ params }: EngineCall, mapping: Mapping): void {
  const fields = mapping.refuses({ ...params });
  if (fields.length === 0) return;
  const names = fields.map((field) => `"${field}"`).join(', ');
  throw new EngineError('input_invalid', `The model does not support ${names}`, {
    publicMessage: `The model for this request does not support ${names}. Leave ${fields.length > 1 ? 'them' : 'it'} out.`,
  });
}

function requireRemote({ remote }: EngineContext): Remote {
  if (!remote) throw new EngineError('internal_error', 'A provider was called outside an artwork');
  return remote;
}
