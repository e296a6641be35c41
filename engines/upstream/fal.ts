/** fal: a request in its queue is a job. Its HTTP API: https://fal.ai/docs/api-reference/inference-api */
import { createFalClient, type FalClient } from '@fal-ai/client';
import { refuseAddress } from '../../schemas/addresses.ts';
import type { InputImage } from '../../schemas/tasks.ts';
import { complaintOf, endOf, isEarly, isFlagged } from './fal-failures.ts';
import { failureOf } from './failures.ts';
import { imageTasks } from './image-tasks.ts';
import { dataUri, fileOf, placeImages } from './input-images.ts';
import { isJobId } from './job-id.ts';
import { createOneTry, ErrorAnswer, explain } from './one-try.ts';
import type { JobState, Protocol, ProviderOptions, QueueProvider } from './provider.ts';

/** A model is the id of an endpoint: `fal-ai/flux/dev`. */
export const fal: Protocol = {
  name: 'fal',
  tasks: imageTasks,
  needsKey: true,
  output: '/images/*/url',
  connect,
};

/** Bytes: models take small files as data URIs, and files of any size from fal's storage. */
const largestInline = 256 * 1024;

/** What an artwork's files at fal live for: its images are fetched at once, and would be public for ever. */
const lifecycle = { expiresIn: '1d' } as const;

/** The hosts that get the key. Both are behind `baseUrl` where one is given. */
const hosts = /^https:\/\/(queue\.fal\.run|rest\.fal\.ai)(?=\/)/;

function connect({ name, baseUrl, apiKey }: ProviderOptions): QueueProvider {
  const oneTry = createOneTry();
  const base = baseUrl?.replace(/\/+$/, '');

  // One for each call, as uploads take no signal. It builds all addresses itself, by the model and the request's id.
  function clientFor(signal: AbortSignal): FalClient {
    return createFalClient({
      credentials: () => apiKey,
      async fetch(input, init) {
        const url = `${input as string}`.replace(hosts, (host) => base ?? host);
        // The one address that comes from an answer is of an upload, which goes without the key.
        const isOurs = base !== undefined && url.startsWith(`${base}/`);
        if (!isOurs && refuseAddress(url, [], ['https:'])) throw failureOf(name, 'no-link');
        return oneTry.fetch(url, { ...init, signal });
      },
    });
  }

  async function place(client: FalClient, image: InputImage): Promise<string> {
    if (image.bytes.byteLength <= largestInline) return dataUri(image);
    const url: unknown = await client.storage.upload(fileOf(image), { lifecycle }).catch((error: unknown) => {
      // It takes what it was answered apart without a look.
      throw error instanceof TypeError ? failureOf(name, 'unreadable') : error;
    });
    if (typeof url !== 'string') throw failureOf(name, 'unreadable');
    return url;
  }

  return {
    kind: 'queue',
    async submit({ model, input }, signal) {
      if (!/^\w[\w.-]*(\/\w[\w.-]*)+$/.test(model)) throw failureOf(name, 'not-found');
      const client = clientFor(signal);
      const placed = (await placeImages(input, (image) => place(client, image))) as object;
      const queued: object | null = await client.queue.submit(model, { input: placed, storageSettings: lifecycle });
      const { request_id: id } = (queued ?? {}) as { request_id?: unknown };
      if (!isJobId(id)) throw failureOf(name, 'unreadable');
      return id;
    },
    look: (model, job, signal) => look(name, clientFor(signal), model, job),
    async cancel(model, job, signal) {
      await clientFor(signal)
        .queue.cancel(model, { requestId: job })
        .catch((error: unknown) => {
          // ALREADY_COMPLETED, NOT_FOUND.
          if (!(error instanceof ErrorAnswer && [400, 404].includes(error.status))) throw error;
        });
    },
    explain: (error) => explain(name, error, complaintOf),
    // Calls without the key work at some models, uploads do not; and they cost nothing.
    async ping(signal) {
      const file = new File(['ping'], 'ping.txt', { type: 'text/plain' });
      await clientFor(signal).storage.upload(file, { lifecycle: { expiresIn: 'immediate' } });
    },
    close: oneTry.close,
  };
}

async function look(name: string, { queue }: FalClient, model: string, requestId: string): Promise<JobState> {
  const lost = (error: unknown): never => {
    const isGone = error instanceof ErrorAnswer && [404, 410].includes(error.status);
    throw isGone ? failureOf(name, 'lost', { status: error.status }) : error;
  };
  const status = await queue.status(model, { requestId }).catch(lost);
  if (status?.status === 'IN_QUEUE' || status?.status === 'IN_PROGRESS') return { state: 'waiting' };
  if (status?.status !== 'COMPLETED') throw failureOf(name, 'unreadable');
  // Completed is a job that failed, too: its error is the result.
  const result = (await queue.result(model, { requestId }).catch((error: unknown) => {
    if (!(error instanceof ErrorAnswer)) throw error;
    if (isEarly(error)) return null;
    const end = endOf(error, status);
    if (end) throw failureOf(name, end, { status: error.status });
    return lost(error);
  })) as { data: unknown } | null;
  if (!result) return { state: 'waiting' };
  const { data } = result;
  if (typeof data !== 'object' || data === null) throw failureOf(name, 'unreadable');
  if (isFlagged(data)) throw failureOf(name, 'refused');
  return { state: 'done', output: data };
}
