/** Which page of a list a request asks for, and what a page looks like. */
import type { Request } from 'express';
import { type FieldError, Problem } from '../../services/problem.ts';

const usual = 20;
const most = 100;

export interface Page {
  limit: number;
  /** What the page begins after; null for the first page. */
  cursor: string | null;
}

export const usualCursor = (cursor: string) => /^[a-z]{3,4}_[0-9A-Z]{26}$/.test(cursor);

/** @throws Problem `validation_failed` */
export function pageOf(request: Request): Page {
  const { failures, ...page } = readPage(request, usualCursor);
  if (failures.length > 0) throw new Problem('validation_failed', { fields: failures });
  return page;
}

/** @param isCursor whether this list could have given it */
export function readPage({ query }: Request, isCursor: (cursor: string) => boolean): Page & { failures: FieldError[] } {
  const { limit = String(usual), cursor = null } = query;
  const failures: FieldError[] = [];
  const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > most) {
    failures.push({ path: '/limit', rule: 'range', message: `must be a whole number from 1 to ${most}` });
  }
  const known = cursor === null || (typeof cursor === 'string' && isCursor(cursor));
  if (!known) failures.push({ path: '/cursor', rule: 'cursor', message: 'must be the nextCursor of an earlier page' });
  return { limit: count, cursor: known ? cursor : null, failures };
}

/** @param rows one more than the limit, where there is one: it tells that another page follows */
export function toPage<T extends { id: string }>(rows: readonly T[], limit: number, view: (row: T) => object): object {
  const items = rows.slice(0, limit);
  return { items: items.map(view), nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}
