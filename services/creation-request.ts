/** A request to create an artwork: validates it, and reads the images and the style that it refers to. */
import type { Operation } from '../schemas/operation.ts';
import type { ApiKey } from '../store/entities.ts';
import type { CreationLimits } from './creation-limits.ts';
import type { CreationDependencies } from './dependencies.ts';
import type { IdempotencyLookup } from './idempotency.ts';
import { type FieldError, rejectFailures } from './problem.ts';
import { readReferences, type References } from './request-references.ts';
import type { Validate } from './validate.ts';

export interface CreationRequest {
  /** The calling key. */
  key: ApiKey;
  /** The parsed JSON body, not yet validated. Validation fills in the defaults. */
  body: unknown;
  /** Compiled from the operation's schema. */
  validate: Validate;
  /** Everything wrong with the query and the headers. */
  optionFailures: readonly FieldError[];
  /** Null when the client sent no `Idempotency-Key`. */
  idempotency: IdempotencyLookup | null;
  /** Null for the operator's `artworks retry`, which sends no HTTP request. */
  requestId: string | null;
  /** Null for the operator's `artworks retry`, which no limit of the organization rejects. */
  limits: CreationLimits | null;
}

interface ValidatedRequest {
  body: Record<string, unknown>;
  failures: FieldError[];
}

/** Failures are returned, so that the client reads all of them at once. */
export function validateRequest({ body, validate, optionFailures }: CreationRequest): ValidatedRequest {
  const failures = [...validate(body), ...optionFailures];
  return { body: isObject(body) ? body : {}, failures };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** @throws Problem `validation_failed` with all failures; a field that failed validation has no second entry */
export async function resolveReferences(
  deps: CreationDependencies,
  operation: Operation,
  { key }: CreationRequest,
  body: Record<string, unknown>,
  failures: readonly FieldError[],
): Promise<References> {
  const { failures: more, ...references } = await readReferences(deps, operation, key, body, failures);
  const failed = new Set(failures.map(({ path }) => path));
  rejectFailures([...failures, ...more.filter(({ path }) => !failed.has(path))]);
  return references;
}
