/** Where a job of ComfyUI stands: its queue knows those that wait and run, its history those that have ended. */
import { ComfyuiError } from './failure.ts';
import type { Http } from './http.ts';

/** As `/view` takes it. */
export interface OutputFile {
  filename: string;
  subfolder: string;
  type: string;
}

export type Job =
  | { state: 'pending' | 'running' | 'failed' | 'canceled' | 'lost' }
  /** With all images of output nodes; previews, of the type `temp`, are none. */
  | { state: 'done'; files: OutputFile[] };

export async function findJob(http: Http, id: string, signal: AbortSignal): Promise<Job> {
  // In this order: between the two a job may go from the queue into the history, never back.
  const queued = await findQueued(http, id, signal);
  if (queued) return { state: queued };
  const history = objectOf(await http.get(`/history/${encodeURIComponent(id)}`, signal));
  return Object.hasOwn(history, id) ? ended(objectOf(history[id])) : { state: 'lost' };
}

export async function findQueued(http: Http, id: string, signal: AbortSignal): Promise<'pending' | 'running' | null> {
  const queue = objectOf(await http.get('/queue', signal));
  // An item is [number, prompt id, workflow, …].
  const holds = (items: unknown) => listOf(items).some((item) => Array.isArray(item) && item[1] === id);
  if (holds(queue.queue_running)) return 'running';
  return holds(queue.queue_pending) ? 'pending' : null;
}

/** By the `status` that ComfyUI's worker writes: `{status_str, completed, messages: [[event, data], …]}`. */
function ended(entry: Record<string, unknown>): Job {
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

/** What must not be mistaken for a job that is lost: it would be run again. */
export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ComfyuiError('unreadable');
  return value as Record<string, unknown>;
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ComfyuiError('unreadable');
  return value;
}
