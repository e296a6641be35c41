/** Reads the options of a creation outside its body: the query `dryRun` and the header `Idempotency-Key`. */
import type { Request } from 'express';
import type { FieldError } from '../../services/problem.ts';

const header = 'Idempotency-Key';

export interface CreationOptions {
  isDryRun: boolean;
  /** Null when the client sent no `Idempotency-Key`, and in a dry run, which creates nothing to replay. */
  idempotencyKey: string | null;
  /** Everything that is wrong with the options. */
  failures: FieldError[];
}

export function readCreationOptions(request: Request): CreationOptions {
  const isDryRun = request.query['dryRun'] === 'true';
  const key = request.get(header);
  const failures = [...checkQuery(request), ...(key === undefined ? [] : checkKey(key))];
  return { isDryRun, idempotencyKey: isDryRun ? null : (key ?? null), failures };
}

function checkQuery({ query }: Request): FieldError[] {
  const { dryRun } = query;
  const failures: FieldError[] = [];
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') {
    failures.push({ path: '/dryRun', rule: 'enum', message: 'must be one of: true, false' });
  }
  // Other unknown parameters are ignored, but a misspelled `dryRun` would create an artwork, which costs money.
  const misspelled = Object.keys(query).find((name) => name !== 'dryRun' && /^dry[-_]?run$/i.test(name));
  if (misspelled !== undefined) {
    failures.push({ path: `/${misspelled}`, rule: 'name', message: 'is not a parameter. Write dryRun.' });
  }
  return failures;
}

function checkKey(key: string): FieldError[] {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return [];
  return [{ path: `/${header}`, rule: 'header', message: 'must have 1 to 255 printable ASCII characters' }];
}
