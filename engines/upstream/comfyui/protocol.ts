/** A ComfyUI server of the operator: workflow templates, one queue, results in its history. */
import { resolve } from 'node:path';
import { imageTasks } from '../image-tasks.ts';
import { replaceImages } from '../input-images.ts';
import type { Protocol, ProviderOptions, QueueProvider } from '../provider.ts';
import { cancelJob, deleteHistory } from './cancel.ts';
import { ComfyuiError, explain } from './failures.ts';
import { createHttp, type Http } from './http.ts';
import { findJob, objectOf, type OutputFile } from './jobs.ts';
import { promptId } from './prompt-id.ts';
import { checkTemplate, fill, loadTemplate } from './template.ts';
import { upload } from './uploads.ts';

/** ComfyUI's default address. */
const defaultAddress = 'http://127.0.0.1:8188';

/** Maximum bytes of all images of a job together: some hundred megapixels as PNG. */
const largestOutput = 128 * 1024 * 1024;

/**
 * `ProviderRequest.model` is the path of a workflow template. `checkTemplate` reports at startup whether the template
 * and a binding's `input` fit together.
 *
 * A submission that is repeated after a crash finds its job by the id that we choose. ComfyUI accepts such an id since
 * 0.3.45 but does not check it for duplicates. Older versions choose the id themselves, so the job runs twice there.
 */
export const comfyui: Protocol = {
  name: 'comfyui',
  tasks: imageTasks,
  needsKey: false,
  output: '/images/*',
  localModel: { resolve: (model, folder) => resolve(folder, model), check: checkTemplate },
  connect,
};

function connect({ name, baseUrl = defaultAddress, apiKey }: ProviderOptions): QueueProvider {
  const http = createHttp({ baseUrl, apiKey });
  return {
    kind: 'queue',
    isIdempotent: true,
    async submit({ model, input, idempotencyKey, confirm }, signal) {
      const template = await loadTemplate(model);
      const id = promptId(idempotencyKey);
      const { state } = await findJob(http, id, signal);
      if (state === 'pending' || state === 'running' || state === 'done') return id;
      const values = objectOf(await replaceImages(input, (image) => upload(image, http, signal)));
      await confirm();
      return queue(http, { prompt: fill(template, values), prompt_id: id }, signal);
    },
    async poll(_model, id, signal) {
      const job = await findJob(http, id, signal);
      if (job.state === 'pending' || job.state === 'running') return { state: 'waiting' };
      if (job.state !== 'done') throw new ComfyuiError(job.state);
      return { state: 'done', output: { images: await download(http, job.files, signal) } };
    },
    cancel: (_model, id, signal) => cancelJob(http, id, signal),
    deleteCopies: (id, signal) => deleteHistory(http, id, signal),
    async ping(signal) {
      const { exec_info: info } = objectOf(await http.get('/prompt', signal));
      if (typeof objectOf(info).queue_remaining !== 'number') throw new ComfyuiError('unreadable');
    },
    explain: (error) => explain(name, error),
    close: () => http.close(),
  };
}

/** Submits a workflow and returns the job's id. */
async function queue(http: Http, body: { prompt: object; prompt_id: string }, signal: AbortSignal): Promise<string> {
  const { prompt_id: id, node_errors: errors } = objectOf(await http.post('/prompt', body, signal));
  if (typeof id !== 'string' || id === '') throw new ComfyuiError('unreadable');
  // ComfyUI also accepts a workflow of which only some output nodes are valid, and would run a part of it.
  if (Object.keys(objectOf(errors ?? {})).length > 0) {
    await cancelJob(http, id, signal);
    throw new ComfyuiError('invalid');
  }
  return id;
}

async function download(http: Http, files: OutputFile[], signal: AbortSignal): Promise<Uint8Array[]> {
  const images: Uint8Array[] = [];
  let remaining = largestOutput;
  for (const { filename, subfolder, type } of files) {
    const query = new URLSearchParams({ filename, subfolder, type }).toString();
    const image = await http.file(`/view?${query}`, remaining, signal).catch((error: unknown) => {
      const isGone = error instanceof ComfyuiError && error.response?.status === 404;
      throw isGone ? new ComfyuiError('dead-link') : error;
    });
    remaining -= image.byteLength;
    images.push(image);
  }
  return images;
}
