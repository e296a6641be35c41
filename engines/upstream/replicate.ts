/** Replicate: a prediction is a job. Its HTTP API: https://replicate.com/docs/reference/http */
import Replicate, { type FileObject, type Prediction } from 'replicate';
import type { InputImage } from '../../schemas/tasks.ts';
import { failureOf } from './failures.ts';
import { imageTasks } from './image-tasks.ts';
import { dataUri, fileOf, placeImages } from './input-images.ts';
import { isJobId } from './job-id.ts';
import { createOneTry, ErrorAnswer, explain } from './one-try.ts';
import type { JobState, Protocol, ProviderOptions, ProviderRequest, QueueProvider } from './provider.ts';
import { complaintOf, endOf, withPatience } from './replicate-failures.ts';

/**
 * A model is `owner/name` (an official one), `owner/name:version`, or `deployments/owner/name`. An output is what the
 * model answers; a lone file is a list of one.
 */
export const replicate: Protocol = {
  name: 'replicate',
  tasks: imageTasks,
  needsKey: true,
  output: '/*',
  connect,
};

/** Bytes: what is larger is uploaded, as Replicate asks for. */
const largestInline = 256 * 1024;

function connect({ name, baseUrl, apiKey }: ProviderOptions): QueueProvider {
  const { fetch, close } = createOneTry();
  const client = new Replicate({ fetch, ...(baseUrl && { baseUrl }) });
  // Not in the constructor: there, none means that of the environment.
  client.auth = apiKey ?? '';

  async function place(image: InputImage, signal: AbortSignal): Promise<string> {
    if (image.bytes.byteLength <= largestInline) return dataUri(image);
    // Replicate keeps it for a day, and reads it with its own credentials.
    const file: Partial<FileObject> | null = await client.files.create(fileOf(image), {}, { signal });
    const url: unknown = file?.urls?.get;
    if (typeof url !== 'string') throw failureOf(name, 'unreadable');
    return url;
  }

  return {
    kind: 'queue',
    async submit({ model, input }: ProviderRequest, signal) {
      const create = creation(client, model);
      if (!create) throw failureOf(name, 'not-found');
      const placed = (await placeImages(input, (image) => place(image, signal))) as object;
      const created: Prediction | null = await create({ input: placed, signal });
      const id: unknown = created?.id;
      if (!isJobId(id)) throw failureOf(name, 'unreadable');
      return id;
    },
    async look(_model, job, signal) {
      const prediction = await client.predictions.get(job, { signal }).catch((error: unknown) => {
        throw isGone(error) ? failureOf(name, 'lost', { status: error.status }) : error;
      });
      return stateOf(name, prediction);
    },
    async cancel(_model, job, signal) {
      await client.predictions.cancel(job, { signal }).catch((error: unknown) => {
        if (!isGone(error)) throw error;
      });
    },
    explain: (error) => explain(name, withPatience(error), complaintOf),
    ping: async (signal) => void (await client.accounts.current({ signal })),
    close,
  };
}

type Creation = (options: { input: object; signal: AbortSignal }) => Promise<Prediction>;

/** @returns null when that is no name of a model */
function creation(client: Replicate, model: string): Creation | null {
  const [, deployed, owner, name, version] = /^(deployments\/)?(\w[\w.-]*)\/(\w[\w.-]*)(:\w+)?$/.exec(model) ?? [];
  if (!owner || !name) return null;
  const { predictions, deployments } = client;
  if (deployed) return version ? null : (options) => deployments.predictions.create(owner, name, options);
  return version
    ? (options) => predictions.create({ ...options, version: model })
    : (options) => predictions.create({ ...options, model });
}

const isGone = (error: unknown): error is ErrorAnswer =>
  error instanceof ErrorAnswer && (error.status === 404 || error.status === 410);

function stateOf(name: string, prediction: Prediction | null): JobState {
  if (!prediction) throw failureOf(name, 'unreadable');
  const { status, error, data_removed: removed } = prediction;
  const output: unknown = prediction.output;
  switch (status) {
    case 'starting':
    case 'processing':
      return { state: 'waiting' };
    case 'succeeded':
      // An hour after its end, input and output are deleted.
      if (removed) throw failureOf(name, 'lost');
      return { state: 'done', output: typeof output === 'string' ? [output] : output };
    case 'failed':
    case 'canceled':
    case 'aborted':
      throw failureOf(name, endOf(status, error));
    default:
      throw failureOf(name, 'unreadable');
  }
}
