/** Which page of a list a request asks for. */
import type { Request } from 'express';
import { type FieldError, Problem } from './problem.ts';

const usual = 20;
const most = 100;

export interface Page {
  limit: number;
  /** The id after which the page begins; null for the first page. */
  cursor: string | null;
}

/** @throws Problem `validation_failed` */
export function pageOf({ query }: Request): Page {
  const { limit = String(usual), cursor = null } = query;
  const failures: FieldError[] = [];
  const count = typeof limit === 'string' && /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (count < 1 || count > most) {
    failures.push({ path: '/limit', rule: 'range', message: `must be a whole number from 1 to ${most}` });
  }
  const known = cursor === null || (typeof cursor === 'string' && /^[a-z]{3,4}_[0-9A-Z]{26}$/.test(cursor));
  if (!known) failures.push({ path: '/cursor', rule: 'cursor', message: 'must be the nextCursor of an earlier page' });
  if (failures.length > 0) throw new Problem('validation_failed', { fields: failures });
  return { limit: count, cursor: known ? cursor : null };
}
