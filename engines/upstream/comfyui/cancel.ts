/** Cancels one job, or deletes it from the history, on a ComfyUI server that other users share. */
import { ComfyuiError } from './failures.ts';
import type { Http } from './http.ts';
import { findQueued, objectOf } from './jobs.ts';

/** First version in which `/interrupt` ends only the given job. Earlier versions end whichever job is running. */
const firstTargeted = [0, 3, 57] as const;

/** On a version before 0.3.57 a job that is already running completes. */
export async function cancelJob(http: Http, id: string, signal: AbortSignal): Promise<void> {
  await http.post('/queue', { delete: [id] }, signal);
  if ((await findQueued(http, id, signal)) !== 'running' || !(await supportsTargets(http, signal))) return;
  await http.post('/interrupt', { prompt_id: id }, signal);
}

/** Deletes a job from the history, which contains its prompt. Fails while the job runs, because ComfyUI adds it at its end. */
export async function deleteHistory(http: Http, id: string, signal: AbortSignal): Promise<void> {
  if (await findQueued(http, id, signal)) throw new ComfyuiError('not-ready');
  await http.post('/history', { delete: [id] }, signal);
}

async function supportsTargets(http: Http, signal: AbortSignal): Promise<boolean> {
  const { system } = objectOf(await http.get('/system_stats', signal));
  const version = objectOf(system).comfyui_version;
  if (typeof version !== 'string' || !/^\d+\.\d+\.\d+/.test(version)) return false;
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [firstMajor, firstMinor, firstPatch] = firstTargeted;
  if (major !== firstMajor) return major > firstMajor;
  return minor === firstMinor ? patch >= firstPatch : minor > firstMinor;
}
