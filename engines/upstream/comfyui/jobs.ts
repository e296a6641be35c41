/** Finds the state of a ComfyUI job: the queue lists waiting and running jobs, the history lists ended ones. */
import { ComfyuiError } from './failures.ts';
import type { Http } from './http.ts';

/** Query parameters of `/view`. */
export interface OutputFile {
  filename: string;
  subfolder: string;
  type: string;
}

export type Job =
  | { state: 'pending' | 'running' | 'failed' | 'canceled' | 'lost' }
  /** `files` lists the images of output nodes, without previews (type `temp`). */
  | { state: 'done'; files: OutputFile[] };

export async function findJob(http: Http, id: string, signal: AbortSignal): Promise<Job> {
  // In this order, because a job may move from the queue to the history between the two requests, but never back.
  const queued = await findQueued(http, id, signal);
  if (queued) return { state: queued };
  const history = objectOf(await http.get(`/history/${encodeURIComponent(id)}`, signal));
  return Object.hasOwn(history, id) ? endedJob(objectOf(history[id])) : { state: 'lost' };
}

export async function findQueued(http: Http, id: string, signal: AbortSignal): Promise<'pending' | 'running' | null> {
  const queue = objectOf(await http.get('/queue', signal));
  // An item is [number, prompt id, workflow, …].
  const holds = (items: unknown) => listOf(items).some((item) => Array.isArray(item) && item[1] === id);
  if (holds(queue.queue_running)) return 'running';
  return holds(queue.queue_pending) ? 'pending' : null;
}

/** Reads the `status` that ComfyUI's worker writes: `{status_str, completed, messages: [[event, data], …]}`. */
function endedJob(entry: Record<string, unknown>): Job {
  const status = objectOf(entry.status ?? {});
  if (status.status_str === 'error') {
    const events = listOf(status.messages ?? []).map((message) =>
      Array.isArray(message) ? (message[0] as unknown) : null,
    );
    return { state: events.includes('execution_interrupted') ? 'canceled' : 'failed' };
  }
  const outputs = Object.values(objectOf(entry.outputs));
  return { state: 'done', files: outputs.flatMap((output) => listOf(objectOf(output).images ?? [])).filter(isOutput) };
}

function isOutput(file: unknown): file is OutputFile {
  const { filename, subfolder, type } = objectOf(file);
  return type === 'output' && typeof filename === 'string' && typeof subfolder === 'string';
}

/** Throws for an unexpected response, which must not count as a lost job, because a lost job is submitted again. */
export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ComfyuiError('unreadable');
  return value as Record<string, unknown>;
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ComfyuiError('unreadable');
  return value;
}
