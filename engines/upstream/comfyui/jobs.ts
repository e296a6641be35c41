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
  | { state: 'pending' | 'running' | 'lost' | JobFailure }
  /** `files` lists the images of output nodes, without previews (type `temp`). */
  | { state: 'done'; files: OutputFile[] };

type JobFailure = 'failed' | 'canceled' | 'out-of-memory';

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
  if (status.status_str === 'error') return { state: failureIn(listOf(status.messages ?? [])) };
  const outputs = Object.values(objectOf(entry.outputs));
  return { state: 'done', files: outputs.flatMap((output) => listOf(objectOf(output).images ?? [])).filter(isOutput) };
}

function failureIn(messages: unknown[]): JobFailure {
  for (const message of messages) {
    const [event, data] = Array.isArray(message) ? (message as unknown[]) : [];
    if (event === 'execution_interrupted') return 'canceled';
    if (event === 'execution_error' && isOutOfMemory(objectOf(data))) return 'out-of-memory';
  }
  return 'failed';
}

/** Includes the errors of ComfyUI's `is_oom`, after which it unloads all models, so that another attempt has more memory. */
function isOutOfMemory({ exception_type: type, exception_message: message }: Record<string, unknown>): boolean {
  if (typeof type !== 'string') return false;
  if (/(^|\.)(OutOfMemoryError|MemoryError)$/.test(type)) return true;
  return type.endsWith('AcceleratorError') && typeof message === 'string' && /out of memory/i.test(message);
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
