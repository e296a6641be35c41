/** Results of synchronous requests are kept for a repeat, so that they may remain when every artwork has expired. */
import { newId } from '../../store/ids.ts';

/** Milliseconds: two minutes for the request, ten for its result, and two for a late purge. */
const kept = 14 * 60_000;

/** Returns whether a text contains the id of a synchronous request whose result may still be kept. */
export function isKept(text: string): boolean {
  const id = /ans_[0-9A-Z]{26}/.exec(text)?.[0];
  return id !== undefined && id > newId('ans', Date.now() - kept);
}
