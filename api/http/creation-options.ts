/** What a creation is asked for beside its body: the query `dryRun` and the header `Idempotency-Key`. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Operation } from '../../schemas/operation.ts';
import type { Idempotency } from '../../store/idempotency.ts';
import type { FieldError } from '../../services/problem.ts';

const header = 'Idempotency-Key';

/** @returns all that is wrong with them */
export function refuseOptions(request: Request, operation: Operation): FieldError[] {
  const { dryRun } = request.query;
  const failures: FieldError[] = [];
  if (dryRun !== undefined && dryRun !== 'true' && dryRun !== 'false') {
    failures.push({ path: '/dryRun', rule: 'enum', message: 'must be one of: true, false' });
  }
  // Any other parameter is of no meaning, but this one misspelled would cost money.
  const misspelled = Object.keys(request.query).find((name) => name !== 'dryRun' && /^dry[-_]?run$/i.test(name));
  if (misspelled !== undefined) {
    failures.push({ path: `/${misspelled}`, rule: 'name', message: 'is not known. Write dryRun.' });
  }
  const key = request.get(header);
  if (key === undefined) return failures;
  if (operation.answer) {
    const message = 'is not taken here: an answer is not kept, so it cannot be given again. Leave the header out';
    failures.push({ path: `/${header}`, rule: 'header', message });
  } else if (!/^[\x20-\x7e]{1,255}$/.test(key)) {
    failures.push({ path: `/${header}`, rule: 'header', message: 'must have 1 to 255 printable ASCII characters' });
  }
  return failures;
}

export function isDryRun({ query }: Request): boolean {
  return query['dryRun'] === 'true';
}

/** @returns the digest by which an earlier request is found; null when the client sent no such header, or wants nothing made */
export function idempotencyKeyOf(request: Request): Buffer | null {
  const key = request.get(header);
  return key === undefined || isDryRun(request) ? null : sha256(key);
}

/**
 * @param body valid, with its defaults
 * @returns null when the client sent no such header, or wants nothing made
 */
export function idempotencyOf(
  request: Request,
  operation: Operation,
  body: Record<string, unknown>,
): Idempotency | null {
  const key = idempotencyKeyOf(request);
  return key && { key, request: sha256(canonical([operation.name, withoutDefaults(operation, body)])) };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** A field that a later release adds must not make another request of an old one. */
function withoutDefaults({ request }: Operation, body: Record<string, unknown>): Record<string, unknown> {
  const isDefault = ([name, value]: [string, unknown]) => {
    const { default: usual } = (request.properties[name] ?? {}) as { default?: unknown };
    return usual !== undefined && canonical(value) === canonical(usual);
  };
  return Object.fromEntries(Object.entries(body).filter((field) => !isDefault(field)));
}

/** JSON with sorted names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
