/** Rejects input with an id that this service does not create. Any client of Temporal can start a workflow with such input. */
import { ApplicationFailure } from '@temporalio/common';
import { type IdPrefix, isId } from '../store/ids.ts';

/** The ids of artworks and of synchronous requests, which are short artworks. */
export const ofArtworks = ['art', 'ans'] as const satisfies readonly IdPrefix[];
export const ofUploads = ['file'] as const satisfies readonly IdPrefix[];

/** Returns whether the input has an id with one of the prefixes. The input is not validated before, and can be anything. */
export function hasId(args: unknown, prefixes: readonly IdPrefix[]): boolean {
  const id = (args as { id?: unknown } | null | undefined)?.id;
  return prefixes.some((prefix) => isId(prefix, id));
}

/** @throws ApplicationFailure that is not retried. It does not repeat the id. */
export function checkId(args: unknown, prefixes: readonly IdPrefix[]): void {
  if (hasId(args, prefixes)) return;
  throw ApplicationFailure.nonRetryable(`The id must begin with ${prefixes.join('_ or ')}_`, 'invalid_id');
}
