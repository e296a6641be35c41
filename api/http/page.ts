/** Reads the requested page of a list from the query, and builds the page. */
import type { Request } from 'express';
import { type FieldError, rejectFailures } from '../../services/problem.ts';

const defaultLimit = 20;
const maxPageItems = 100;

export interface Page {
  limit: number;
  /** The cursor of the item before the page; null for the first page. */
  cursor: string | null;
}

/** Returns whether a cursor is an id, as the cursors of most lists are. */
export const isIdCursor = (cursor: string) => /^[a-z]{3,4}_[0-9A-Z]{26}$/.test(cursor);

/** Returns the requested page of a list whose cursors are ids. @throws Problem `validation_failed` */
export function pageOf(request: Request): Page {
  const { failures, ...page } = readPage(request, isIdCursor);
  rejectFailures(failures);
  return page;
}

/**
 * Returns the requested page and every failure.
 * @param isCursor returns whether the list could have returned a cursor
 */
export function readPage({ query }: Request, isCursor: (cursor: string) => boolean): Page & { failures: FieldError[] } {
  const { limit = String(defaultLimit), cursor = null } = query;
  const failures: FieldError[] = [];
  const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > maxPageItems) {
    failures.push({ path: '/limit', rule: 'range', message: `must be a whole number from 1 to ${maxPageItems}` });
  }
  const known = cursor === null || (typeof cursor === 'string' && isCursor(cursor));
  if (!known) failures.push({ path: '/cursor', rule: 'cursor', message: 'must be the nextCursor of an earlier page' });
  return { limit: count, cursor: known ? cursor : null, failures };
}

/**
 * Returns the body of the response.
 * @param rows up to `limit + 1` rows; an additional row shows that another page follows
 */
export function toPage<T extends { id: string }>(rows: readonly T[], limit: number, view: (row: T) => object): object {
  const items = rows.slice(0, limit);
  return { items: items.map(view), nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
