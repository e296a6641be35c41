/** Downloads a file that the output of a provider links to, and checks it against what its server declares. */
import { findContradiction } from '../images/declared-type.ts';
import type { Dependencies } from './dependencies.ts';
import type { DownloadResult } from './download.ts';

/** Milliseconds that the download of a result may take. */
const downloadTimeout = 120_000;

interface Options {
  engine: string;
  /** Maximum size in bytes. */
  limit: number;
  signal: AbortSignal;
}

/** Returns the error `wrong type` for a file whose bytes contradict the declared type. Logs why a file is not used. */
export async function downloadResult(
  { outbound, log }: Pick<Dependencies, 'outbound' | 'log'>,
  url: string,
  { engine, limit, signal }: Options,
): Promise<DownloadResult> {
  const result = await outbound.get(url, { limit, signal, timeout: downloadTimeout });
  if ('error' in result) {
    if (!signal.aborted) log.warn({ engine, reason: result.error }, 'A result could not be downloaded');
    return result;
  }
  const contradiction = findContradiction(result.declaredType, result.bytes);
  if (!contradiction) return result;
  log.warn({ engine, ...contradiction }, 'A result has another type than its server declares');
  return { error: 'wrong type' };
}
