/** Ends one job of a ComfyUI that others use as well, and never another's. */
import type { Http } from './http.ts';
import { findQueued, objectOf } from './jobs.ts';

/** Since this version `/interrupt` heeds the job that it is given. Earlier ones end whichever runs. */
const targeted = [0, 3, 57] as const;

/** On a version before 0.3.57 a job that runs already runs to its end. */
export async function cancelJob(http: Http, id: string, signal: AbortSignal): Promise<void> {
  await http.post('/queue', { delete: [id] }, signal);
  if ((await findQueued(http, id, signal)) !== 'running' || !(await isTargeted(http, signal))) return;
  await http.post('/interrupt', { prompt_id: id }, signal);
}

async function isTargeted(http: Http, signal: AbortSignal): Promise<boolean> {
  const { system } = objectOf(await http.get('/system_stats', signal));
  const version = objectOf(system).comfyui_version;
  if (typeof version !== 'string' || !/^\d+\.\d+\.\d+/.test(version)) return false;
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [leastMajor, leastMinor, leastPatch] = targeted;
  if (major !== leastMajor) return major > leastMajor;
  return minor === leastMinor ? patch >= leastPatch : minor > leastMinor;
}
