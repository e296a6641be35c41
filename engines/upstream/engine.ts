/** An engine that calls a provider: maps a call to the provider's fields, runs it, and converts the output. */
import type { SubmittedModel } from '../../schemas/submitted-model.ts';
import {
  type Engine,
  type EngineCall,
  type EngineContext,
  EngineError,
  type EngineResult,
  noFace,
  nothingFound,
  type Remote,
} from '../contract/index.ts';
import { explained } from './explained.ts';
import { failureOf, ProviderError } from './failures.ts';
import type { Mapping } from './mapping.ts';
import { find, isEmptyAt } from './pointer.ts';
import type { Protocol, Provider, ProviderOutput, ProviderRequest } from './provider.ts';
import { conform, largestImage } from './result-image.ts';
import { rejectTooLarge } from './result-size.ts';
import { runJob } from './run-job.ts';

/** A provider's model that one of our models is bound to. */
export interface UpstreamModel extends SubmittedModel {
  mapping: Mapping;
  /** Whether the model accepts requests with `nsfw: true`. */
  acceptsNsfw: boolean;
}

export interface UpstreamOptions {
  name: string;
  protocol: Protocol;
  provider: Provider;
  /** By model name in the catalogue. */
  models: Readonly<Record<string, UpstreamModel>>;
}

/** Milliseconds for the requests that discard a job. */
const discardTimeout = 10_000;

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
      const submittedTo = context.remote?.job?.submittedTo;
      const upstream = submittedTo ?? checkedModel(call);
      try {
        const output = await callProvider(call, upstream, context);
        return await toResult(call, upstream, output, context);
      } catch (error) {
        // An aborted call fails with the reason of the abort.
        context.signal.throwIfAborted();
        throw withMessage(error, call);
      }
    },
    deletesCopies: provider.kind === 'queue' && provider.deleteCopies !== undefined,
    async discard({ id, model, submittedTo, isEnded }) {
      if (provider.kind !== 'queue') return;
      const signal = AbortSignal.timeout(discardTimeout);
      await explained(provider, async () => {
        const known = submittedTo ?? (Object.hasOwn(models, model) ? models[model] : undefined);
        if (!isEnded) await provider.cancel(known?.model ?? null, id, signal);
        await provider.deleteCopies?.(id, signal);
      });
    },
    async ping(signal) {
      await explained(provider, () => provider.ping(signal));
    },
    async inspect(signal) {
      if (provider.kind !== 'queue') return [];
      const bound = Object.values(models).map(({ model, mapping: { constants } }) => ({ model, constants }));
      return explained(provider, async () => (await provider.inspect?.(bound, signal)) ?? []);
    },
    close: () => provider.close(),
  };

  /** Returns the model that the call is bound to. @throws EngineError when it cannot fulfil the call */
  function checkedModel(call: EngineCall): UpstreamModel {
    const upstream = boundModel(call.model);
    rejectUnsupported(call, upstream.mapping);
    if (!upstream.acceptsNsfw && 'nsfw' in call.params && call.params.nsfw) {
      const publicMessage = 'This model accepts no request with "nsfw": true. Send the request without it.';
      throw new EngineError('content_refused', `${name} refuses requests with nsfw: true`, { publicMessage });
    }
    rejectTooLarge(call);
    return upstream;
  }

  async function callProvider(
    call: EngineCall,
    { model, label, output }: SubmittedModel,
    context: EngineContext,
  ): Promise<ProviderOutput> {
    const { signal } = context;
    const remote = requireRemote(context);
    const request = (): ProviderRequest => {
      const { mapping } = boundModel(call.model);
      const { task, idempotencyKey } = call;
      return { model, task, input: mapping.fill({ ...call.params }), idempotencyKey };
    };
    if (provider.kind === 'queue') {
      const submittedTo = { model, label, output };
      return runJob(provider, request, { who: name, submittedTo, remote, signal });
    }
    await remote.acquireSlot();
    return explained(provider, () => provider.run(request(), signal));
  }

  async function toResult(
    call: EngineCall,
    { label, output: pointers }: SubmittedModel,
    output: ProviderOutput,
    context: EngineContext,
  ): Promise<EngineResult> {
    const [file] = find(output, pointers.images);
    if (file === undefined || file === null) {
      const hasNone = call.task === 'segment' && isEmptyAt(output, pointers.images);
      throw failureOf(name, hasNone ? 'nothing-found' : 'no-image');
    }
    const [seed] = pointers.seed === null ? [] : find(output, pointers.seed);
    const bytes = await bytesOf(file, context);
    const options = { who: name, convertImage: requireRemote(context).convertImage, signal: context.signal };
    const image = await conform(options, bytes, call, typeof seed === 'number' ? seed : null);
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
    if (download.error === 'wrong type') throw failureOf(name, 'wrong-type');
    throw failureOf(name, download.error === 'too large' ? 'image-too-large' : 'dead-link');
  }
}

/** Adds the message that the embedded engines have for the same failure. */
function withMessage(error: unknown, { task, params }: EngineCall): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { failure } = error;
  if (task === 'segment' && (failure === 'nothing-found' || failure === 'no-face'))
    return new EngineError('input_invalid', error.message, { publicMessage: nothingFound(params.prompt) });
  if (failure !== 'no-face') return error;
  if (task === 'refine-face') return error.with({ publicMessage: noFace() });
  // Providers do not say which image has no face.
  return task === 'swap-face' ? error.with({ publicMessage: noFace('one of the images') }) : error;
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
