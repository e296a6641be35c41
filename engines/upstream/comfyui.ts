/** ComfyUI, run by the operator: workflow templates, one queue, results from its history. */
import { resolve } from 'node:path';
import { imageTasks } from './image-tasks.ts';
import { placeImages } from './input-images.ts';
import type { Protocol, ProviderOptions, QueueProvider } from './provider.ts';
import { cancelJob } from './comfyui/cancel.ts';
import { ComfyuiError, explain } from './comfyui/failure.ts';
import { createHttp, type Http } from './comfyui/http.ts';
import { findJob, objectOf, type OutputFile } from './comfyui/jobs.ts';
import { promptId } from './comfyui/prompt-id.ts';
import { checkTemplate, fill, loadTemplate } from './comfyui/template.ts';
import { upload } from './comfyui/uploads.ts';

/** Where ComfyUI listens when nobody says otherwise. */
const home = 'http://127.0.0.1:8188';

/** Bytes of all images of a job together: some hundred megapixels as PNG. */
const largestOutput = 128 * 1024 * 1024;

/**
 * `ProviderRequest.model` is the path of a workflow template; `checkTemplate` (`comfyui/template.ts`) says at the start
 * whether it and a binding's `input` fit.
 *
 * A submit repeated after a crash finds its job by the id that we choose, which ComfyUI takes since 0.3.45 and itself
 * does not look twice at. Older ones choose their own: there it is run again.
 */
export const comfyui: Protocol = {
  name: 'comfyui',
  tasks: imageTasks,
  needsKey: false,
  output: '/images/*',
  localModel: { resolve: (model, folder) => resolve(folder, model), check: checkTemplate },
  connect,
};

function connect({ name, baseUrl = home, apiKey }: ProviderOptions): QueueProvider {
  const http = createHttp({ baseUrl, apiKey });
  return {
    kind: 'queue',
    async submit({ model, input, idempotencyKey }, signal) {
      const template = await loadTemplate(model);
      const id = promptId(idempotencyKey);
      const { state } = await findJob(http, id, signal);
      if (state === 'pending' || state === 'running' || state === 'done') return id;
      const values = objectOf(await placeImages(input, (image) => upload(image, http, signal)));
      return queue(http, { prompt: fill(template, values), prompt_id: id }, signal);
    },
    async look(_model, id, signal) {
      const job = await findJob(http, id, signal);
      if (job.state === 'pending' || job.state === 'running') return { state: 'waiting' };
      if (job.state !== 'done') throw new ComfyuiError(job.state);
      return { state: 'done', output: { images: await collect(http, job.files, signal) } };
    },
    cancel: (_model, id, signal) => cancelJob(http, id, signal),
    async ping(signal) {
      const { exec_info: info } = objectOf(await http.get('/prompt', signal));
      if (typeof objectOf(info).queue_remaining !== 'number') throw new ComfyuiError('unreadable');
    },
    explain: (error) => explain(name, error),
    close: () => http.close(),
  };
}

/** @returns the job's id */
async function queue(http: Http, body: { prompt: object; prompt_id: string }, signal: AbortSignal): Promise<string> {
  const { prompt_id: id, node_errors: errors } = objectOf(await http.post('/prompt', body, signal));
  if (typeof id !== 'string' || id === '') throw new ComfyuiError('unreadable');
  // One output node is fit to run, another is not: half of a workflow is not what was asked for.
  if (Object.keys(objectOf(errors ?? {})).length > 0) {
    await cancelJob(http, id, signal);
    throw new ComfyuiError('invalid');
  }
  return id;
}

async function collect(http: Http, files: OutputFile[], signal: AbortSignal): Promise<Uint8Array[]> {
  const images: Uint8Array[] = [];
  let room = largestOutput;
  for (const { filename, subfolder, type } of files) {
    const query = new URLSearchParams({ filename, subfolder, type }).toString();
    const image = await http.file(`/view?${query}`, room, signal).catch((error: unknown) => {
      const isGone = error instanceof ComfyuiError && error.answer?.status === 404;
      throw isGone ? new ComfyuiError('dead-link') : error;
    });
    room -= image.byteLength;
    images.push(image);
  }
  return images;
}
