/** A ComfyUI server of the operator: workflow templates, one queue, results in its history. */
import { resolve } from 'node:path';
import { imageTasks } from '../image-tasks.ts';
import { replaceImages } from '../input-images.ts';
import type { Protocol, ProviderOptions, QueueProvider } from '../provider.ts';
import { cancelJob, deleteHistory } from './cancel.ts';
import { ComfyuiError, explain } from './failures.ts';
import { createHttp, type Http } from './http.ts';
import { inspect } from './inspect.ts';
import { findJob, objectOf, type OutputFile } from './jobs.ts';
import { promptId } from './prompt-id.ts';
import { checkTemplate, fill, loadTemplate, nameFiles } from './template.ts';
import { upload } from './uploads.ts';

/** ComfyUI's default address. */
const defaultAddress = 'http://127.0.0.1:8188';

/** Folder of results below ComfyUI's `output`, which an operator may empty. */
const outputFolder = 'atelier';

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
      const prompt = nameFiles(fill(template, values), `${outputFolder}/${id}-${Date.now()}`);
      await confirm();
      // Without a client id, versions from 0.3.68 to July 2026 omit the images of nodes that they do not execute again.
      return queue(http, { prompt, prompt_id: id, client_id: id }, signal);
    },
    async poll(_model, id, signal) {
      const job = await findJob(http, id, signal);
      if (job.state === 'pending' || job.state === 'running') return { state: 'waiting' };
      // The job is submitted again, so nothing else would delete its prompt.
      if (job.state === 'out-of-memory') await deleteHistory(http, id, signal);
      if (job.state !== 'done') throw new ComfyuiError(job.state);
      const images = await download(http, job.files, signal);
      if (images) return { state: 'done', output: { images } };
      // The next submission would find the job in the history, and with it the deleted files.
      await deleteHistory(http, id, signal);
      throw new ComfyuiError('lost');
    },
    inspect: (models, signal) => inspect(http, models, signal),
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

interface Submission {
  prompt: object;
  prompt_id: string;
  client_id: string;
}

/** Submits a workflow and returns the job's id. */
async function queue(http: Http, body: Submission, signal: AbortSignal): Promise<string> {
  const { prompt_id: id, node_errors: errors } = objectOf(await http.post('/prompt', body, signal));
  if (typeof id !== 'string' || id === '') throw new ComfyuiError('unreadable');
  // ComfyUI also accepts a workflow of which only some output nodes are valid, and would run a part of it.
  if (Object.keys(objectOf(errors ?? {})).length > 0) {
    await cancelJob(http, id, signal);
    throw new ComfyuiError('invalid');
  }
  return id;
}

/** Returns null when a file has been deleted. */
async function download(http: Http, files: OutputFile[], signal: AbortSignal): Promise<Uint8Array[] | null> {
  const images: Uint8Array[] = [];
  let remaining = largestOutput;
  for (const { filename, subfolder, type } of files) {
    const query = new URLSearchParams({ filename, subfolder, type }).toString();
    const image = await http.file(`/view?${query}`, remaining, signal).catch((error: unknown) => {
      if (error instanceof ComfyuiError && error.response?.status === 404) return null;
      throw error;
    });
    if (!image) return null;
    remaining -= image.byteLength;
    images.push(image);
  }
  return images;
}
