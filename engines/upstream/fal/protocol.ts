/** fal: a request in its queue is a job. HTTP API: https://fal.ai/docs/api-reference/inference-api */
import { createFalClient, type FalClient } from '@fal-ai/client';
import { guardedConnector } from '../../../runtime/guarded-connector.ts';
import { createLookup } from '../../../runtime/lookup.ts';
import { refuseAddress, withoutTrailingSlashes } from '../../../schemas/addresses.ts';
import { EngineError, type InputImage } from '../../contract/index.ts';
import { failureOf } from '../failures.ts';
import { imageTasks } from '../image-tasks.ts';
import { dataUri, fileOf, replaceImages } from '../input-images.ts';
import { isJobId } from '../job-id.ts';
import { jobDeadline } from '../job-deadline.ts';
import type { JobState, Protocol, ProviderOptions, QueueProvider } from '../provider.ts';
import { createSendOnce, ErrorResponse, explain } from '../send-once.ts';
import { failureInBody, failureOfJob, isFlagged, isResultPending } from './failures.ts';

/** A model is the id of an endpoint: `fal-ai/flux/dev`. */
export const fal: Protocol = {
  name: 'fal',
  tasks: imageTasks,
  needsKey: true,
  output: '/images/*/url',
  connect,
};

/** Bytes. Smaller files are sent as data URIs, larger ones are uploaded to fal's storage. */
const largestInline = 256 * 1024;

/** Lifetime of uploaded images. Without it fal keeps them public for ever. A job may wait for hours. */
const uploadLifetime = '1d';
/** Lifetime of the images of a result: as long as fal keeps the result that links to them. */
const outputs = { expiresIn: '1h' } as const;
/**
 * Keeps input and output out of fal's request history. The result can be read for an hour, or six minutes from 10 KB on:
 * https://fal.ai/docs/inference-api/queue/result
 */
const unstored = { 'X-Fal-Store-IO': '0' } as const;

/** The hosts that receive the key. `baseUrl` replaces both. */
const hosts = /^https:\/\/(queue\.fal\.run|rest\.fal\.ai)(?=\/)/;

function connect({
  name,
  baseUrl,
  apiKey,
  lookup = createLookup({ allowedHosts: [] }),
}: ProviderOptions): QueueProvider {
  const toFal = createSendOnce();
  // Addresses in responses of fal, where a name may lead to a private address.
  const toOthers = createSendOnce(guardedConnector([], lookup));
  const base = baseUrl && withoutTrailingSlashes(baseUrl);

  // One client for each call, because uploads accept no signal.
  function clientFor(signal: AbortSignal): FalClient {
    return createFalClient({
      credentials: () => apiKey,
      async fetch(input, init) {
        const address = `${input as string}`;
        const url = address.replace(hosts, (host) => base ?? host);
        // The client builds all addresses itself, except the upload address, which comes from a response. The client
        // sends no key there.
        const isOwn = base === undefined ? hosts.test(address) : url.startsWith(`${base}/`);
        if (!isOwn && refuseAddress(url, [], ['https:'])) throw failureOf(name, 'forbidden-link');
        return (isOwn ? toFal : toOthers).fetch(url, { ...init, signal });
      },
    });
  }

  /** Returns the URL of the file in fal's storage, as the response has it. */
  function store(client: FalClient, file: File, expiresIn: '1d' | 'immediate'): Promise<unknown> {
    return client.storage.upload(file, { lifecycle: { expiresIn } }).catch((error: unknown) => {
      // The client reads the response without checking its shape.
      throw error instanceof TypeError ? failureOf(name, 'unreadable') : error;
    });
  }

  async function upload(client: FalClient, image: InputImage): Promise<string> {
    if (image.bytes.byteLength <= largestInline) return dataUri(image);
    const url = await store(client, fileOf(image), uploadLifetime);
    if (typeof url !== 'string') throw failureOf(name, 'unreadable');
    return url;
  }

  return {
    kind: 'queue',
    async submit({ model, input, timeout, confirm }, signal) {
      if (!/^\w[\w.-]*(\/\w[\w.-]*)+$/.test(model)) throw failureOf(name, 'not-found');
      const client = clientFor(signal);
      const uploaded = (await replaceImages(input, (image) => upload(client, image))) as object;
      await confirm();
      // fal ends only jobs that have not begun.
      const startTimeout = jobDeadline(timeout);
      const options = { input: uploaded, storageSettings: outputs, headers: unstored, startTimeout };
      const queued: object | null = await client.queue.submit(model, options);
      const { request_id: id } = (queued ?? {}) as { request_id?: unknown };
      if (!isJobId(id)) throw failureOf(name, 'unreadable');
      return id;
    },
    poll: (model, job, signal) => poll(name, clientFor(signal), model, job),
    async cancel(model, job, signal) {
      // fal has a job under the path of its model.
      if (model === null) throw new EngineError('internal_error', `${name} needs the model of the job`);
      await clientFor(signal)
        .queue.cancel(model, { requestId: job })
        .catch((error: unknown) => {
          // ALREADY_COMPLETED and NOT_FOUND.
          if (!(error instanceof ErrorResponse && [400, 404, 409, 410].includes(error.status))) throw error;
        });
    },
    explain: (error) => explain(name, error, failureInBody),
    // Some models accept calls without the key; uploads require it and are free.
    async ping(signal) {
      const file = new File(['ping'], 'ping.txt', { type: 'text/plain' });
      await store(clientFor(signal), file, 'immediate');
    },
    close: async () => void (await Promise.all([toFal.close(), toOthers.close()])),
  };
}

async function poll(name: string, { queue }: FalClient, model: string, requestId: string): Promise<JobState> {
  const rethrow = (error: unknown): never => {
    const isGone = error instanceof ErrorResponse && [404, 410].includes(error.status);
    throw isGone ? failureOf(name, 'lost', { status: error.status }) : error;
  };
  const status = await queue.status(model, { requestId }).catch(rethrow);
  if (status?.status === 'IN_QUEUE' || status?.status === 'IN_PROGRESS') return { state: 'waiting' };
  if (status?.status !== 'COMPLETED') throw failureOf(name, 'unreadable');
  // A failed job is COMPLETED, too, and its result is an error response.
  const result = (await queue.result(model, { requestId }).catch((error: unknown) => {
    if (!(error instanceof ErrorResponse)) throw error;
    if (isResultPending(error)) return null;
    const failure = failureOfJob(error, status);
    if (failure) throw failureOf(name, failure, { status: error.status });
    return rethrow(error);
  })) as { data: unknown } | null;
  if (!result) return { state: 'waiting' };
  const { data } = result;
  if (typeof data !== 'object' || data === null) throw failureOf(name, 'unreadable');
  if (isFlagged(data)) throw failureOf(name, 'refused');
  return { state: 'done', output: data };
}
