/** An engine of a provider: maps a call to its fields, has it answered, and makes the answer what the call asked for. */
import { EngineError, type Engine, type EngineCall, type EngineContext, type EngineResult } from '../contract/index.ts';
import { failureOf } from './failures.ts';
import { cancelTimeout, runJob } from './job.ts';
import type { Mapping } from './mapping.ts';
import { conform, mostBytesOut } from './output.ts';
import { find } from './pointer.ts';
import type { Protocol, Provider, ProviderOutput } from './provider.ts';
import { refuseTooLarge } from './size.ts';

/** What one of our models is at a provider. */
export interface UpstreamModel {
  /** As the provider calls it. */
  model: string;
  /** As clients read it. */
  label: string;
  mapping: Mapping;
  /** JSON pointers into its answer. */
  output: { images: string; seed: string | null };
}

export interface UpstreamOptions {
  name: string;
  protocol: Protocol;
  provider: Provider;
  /** By the catalogue's names. */
  models: Readonly<Record<string, UpstreamModel>>;
}

const dataUri = /^data:[^,;]*;base64,/u;

export function createUpstreamEngine({ name, protocol, provider, models }: UpstreamOptions): Engine {
  const bound = (model: string): UpstreamModel => {
    const found = Object.hasOwn(models, model) ? models[model] : undefined;
    if (!found) throw new EngineError('internal_error', `The engine ${name} has no model for ${model}`);
    return found;
  };
  return {
    name,
    tasks: protocol.tasks,
    async run(call, context) {
      const upstream = bound(call.model);
      refuse(call, upstream.mapping);
      refuseTooLarge(call);
      try {
        const output = await answer(call, upstream, context);
        return await take(call, upstream, output, context);
      } catch (error) {
        // Whoever stopped it knows why.
        context.signal.throwIfAborted();
        throw error instanceof EngineError ? error : provider.explain(error);
      }
    },
    async cancel(model, job) {
      if (provider.kind === 'queue') {
        await provider.cancel(bound(model).model, job, AbortSignal.timeout(cancelTimeout));
      }
    },
    async ping(signal) {
      try {
        await provider.ping(signal);
      } catch (error) {
        throw provider.explain(error);
      }
    },
    close: () => provider.close(),
  };

  async function answer(
    call: EngineCall,
    { model, mapping }: UpstreamModel,
    context: EngineContext,
  ): Promise<ProviderOutput> {
    const { task, idempotencyKey } = call;
    const request = { model, task, input: mapping.fill({ ...call.params }), idempotencyKey };
    const { signal } = context;
    const remote = remoteOf(context);
    if (provider.kind === 'queue') return runJob(provider, request, { who: name, remote, signal });
    await remote.acquireSlot();
    return provider.run(request, signal);
  }

  async function take(
    call: EngineCall,
    { label, output: where }: UpstreamModel,
    output: ProviderOutput,
    context: EngineContext,
  ): Promise<EngineResult> {
    const [found] = find(output, where.images);
    if (found === undefined || found === null) throw failureOf(name, 'no-image');
    const [seed] = where.seed === null ? [] : find(output, where.seed);
    const bytes = await bytesOf(found, context);
    const image = await conform(name, bytes, call, typeof seed === 'number' ? seed : null);
    return { model: `${name}/${label}`, images: [image] };
  }

  async function bytesOf(found: unknown, context: EngineContext): Promise<Uint8Array> {
    if (found instanceof Uint8Array) return found;
    if (typeof found !== 'string') throw failureOf(name, 'no-image');
    if (dataUri.test(found)) return Buffer.from(found.slice(found.indexOf(',') + 1), 'base64');
    const got = await remoteOf(context).download(found, mostBytesOut, context.signal);
    if ('bytes' in got) return got.bytes;
    context.signal.throwIfAborted();
    if (got.error === 'address not allowed') throw failureOf(name, 'no-link');
    throw failureOf(name, got.error === 'too large' ? 'too-large-an-image' : 'dead-link');
  }
}

/** @throws EngineError `input_invalid` that names what the model cannot do */
function refuse({ params }: EngineCall, mapping: Mapping): void {
  const refused = mapping.refuses({ ...params });
  if (refused.length === 0) return;
  const names = refused.map((field) => `"${field}"`).join(', ');
  throw new EngineError('input_invalid', `The model cannot honour ${names}`, {
    publicMessage: `The model that makes this cannot honour ${names}. Leave ${refused.length > 1 ? 'them' : 'it'} out.`,
  });
}

function remoteOf({ remote }: EngineContext) {
  if (!remote) throw new EngineError('internal_error', 'A provider was called outside an artwork');
  return remote;
}
