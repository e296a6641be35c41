/** Replicate: a prediction is a job. HTTP API: https://replicate.com/docs/reference/http */
import Replicate, { type FileObject, type Prediction } from 'replicate';
import type { InputImage } from '../../contract/index.ts';
import { failureOf } from '../failures.ts';
import { imageTasks } from '../image-tasks.ts';
import { dataUri, fileOf, replaceImages } from '../input-images.ts';
import { isJobId } from '../job-id.ts';
import { jobDeadline } from '../job-deadline.ts';
import type { JobState, Protocol, ProviderOptions, QueueProvider } from '../provider.ts';
import { createSendOnce, ErrorResponse, explain } from '../send-once.ts';
import { failureInBody, failureOfJob, withRetryAfter } from './failures.ts';

/**
 * A model is `owner/name` (an official one), `owner/name:version`, or `deployments/owner/name`. An output that is a
 * single file becomes a list of one file.
 */
export const replicate: Protocol = {
  name: 'replicate',
  tasks: imageTasks,
  needsKey: true,
  output: '/*',
  connect,
};

/** Bytes. Replicate asks for larger files to be uploaded. */
const largestInline = 256 * 1024;

function connect({ name, baseUrl, apiKey }: ProviderOptions): QueueProvider {
  const { fetch, close } = createSendOnce();
  const client = new Replicate({ fetch, ...(baseUrl && { baseUrl }) });
  // The constructor would replace a missing key by one from the environment.
  client.auth = apiKey ?? '';

  async function upload(image: InputImage, signal: AbortSignal): Promise<string> {
    if (image.bytes.byteLength <= largestInline) return dataUri(image);
    // Replicate keeps the file for a day and reads it with its own credentials.
    const file: Partial<FileObject> | null = await client.files.create(fileOf(image), {}, { signal });
    const url: unknown = file?.urls?.get;
    if (typeof url !== 'string') throw failureOf(name, 'unreadable');
    return url;
  }

  return {
    kind: 'queue',
    async submit({ model, input, timeout, confirm }, signal) {
      const address = predictionsOf(model);
      if (!address) throw failureOf(name, 'not-found');
      const uploaded = (await replaceImages(input, (image) => upload(image, signal))) as object;
      await confirm();
      // The client's own methods for this request send no headers.
      const response = await client.request(address.path, {
        method: 'POST',
        headers: { 'Cancel-After': `${jobDeadline(timeout)}s` },
        data: { input: uploaded, ...(address.version && { version: address.version }) },
        signal,
      });
      const created = (await response.json()) as Partial<Prediction> | null;
      const id: unknown = created?.id;
      if (!isJobId(id)) throw failureOf(name, 'unreadable');
      return id;
    },
    async poll(_model, job, signal) {
      const prediction = await client.predictions.get(job, { signal }).catch((error: unknown) => {
        throw isGone(error) ? failureOf(name, 'lost', { status: error.status }) : error;
      });
      return stateOf(name, prediction);
    },
    async cancel(_model, job, signal) {
      await client.predictions.cancel(job, { signal }).catch((error: unknown) => {
        if (!isGone(error) && !hasEnded(error)) throw error;
      });
    },
    // Only uploads need this: Replicate deletes input and output an hour after the prediction has ended.
    async deleteCopies(job, signal) {
      const prediction = await unlessGone(client.predictions.get(job, { signal }));
      const files = uploadedFiles(prediction?.input);
      await Promise.all(files.map((file) => unlessGone(client.files.delete(file, { signal }))));
    },
    explain: (error) => explain(name, withRetryAfter(error), failureInBody),
    ping: async (signal) => void (await client.accounts.current({ signal })),
    close,
  };
}

/** Returns where predictions of a model are created, or null when the model's name is invalid. */
function predictionsOf(model: string): { path: string; version?: string } | null {
  const [, deployment, owner, name, version] = /^(deployments\/)?(\w[\w.-]*)\/(\w[\w.-]*)(:\w+)?$/.exec(model) ?? [];
  if (!owner || !name || (deployment && version)) return null;
  if (version) return { path: '/predictions', version: model };
  return { path: `/${deployment ? 'deployments' : 'models'}/${owner}/${name}/predictions` };
}

const isGone = (error: unknown): error is ErrorResponse =>
  error instanceof ErrorResponse && (error.status === 404 || error.status === 410);

const hasEnded = (error: unknown) => error instanceof ErrorResponse && error.status === 409;

/** Returns null after a 404 or 410. */
const unlessGone = <T>(response: Promise<T>): Promise<T | null> =>
  response.catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });

/** Returns the ids of the files to which the values of an input link. */
function uploadedFiles(input: unknown): string[] {
  if (typeof input === 'string')
    return /^https:\/\/api\.replicate\.com\/v1\/files\/([\w-]+)$/.exec(input)?.slice(1) ?? [];
  return typeof input === 'object' && input !== null ? Object.values(input).flatMap(uploadedFiles) : [];
}

function stateOf(name: string, prediction: Prediction | null): JobState {
  if (!prediction) throw failureOf(name, 'unreadable');
  const { status, error, data_removed: isRemoved } = prediction;
  const output: unknown = prediction.output;
  switch (status) {
    case 'starting':
    case 'processing':
      return { state: 'waiting' };
    case 'succeeded':
      // Replicate deletes input and output an hour after the prediction has ended.
      if (isRemoved) throw failureOf(name, 'lost');
      return { state: 'done', output: typeof output === 'string' ? [output] : output };
    case 'failed':
    case 'canceled':
    case 'aborted':
      throw failureOf(name, failureOfJob(status, error));
    default:
      throw failureOf(name, 'unreadable');
  }
}
