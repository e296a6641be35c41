/** Builds the timeline of an artwork from the rows that its steps stored. */
import { type ErrorCode, errors } from '../schemas/errors.ts';
import type { Step } from '../schemas/timeline.ts';
import type { Database } from '../store/database.ts';
import { findDeliveries } from '../store/deliveries.ts';
import type { Artwork, CallResult, Delivery, FailedAttempt } from '../store/entities.ts';
import { findFailedAttempts } from '../store/failed-attempts.ts';
import { findCharges } from '../store/jobs.ts';
import { findMessages, findResults } from '../store/results.ts';

/** Returns the steps, oldest first. */
export async function findTimeline(db: Database, artwork: Artwork): Promise<Step[]> {
  const { id } = artwork;
  const [results, charges, attempts, messages, deliveries] = await Promise.all([
    findResults(db, id),
    findCharges(db, id),
    findFailedAttempts(db, id),
    findMessages(db, id),
    findDeliveries(db, id),
  ]);
  const last = new Map(attempts.map((one) => [one.call, one.id]));
  const calls = [
    ...attempts.map((one) => viewFailure(one, last.get(one.call) === one.id ? messages.get(one.call) : undefined)),
    ...[...results.values()].map(viewResult),
  ];
  const numberedCalls = numbered(calls.sort(byTime)).map((one) => ({
    ...one,
    submissions: charges.get(one.name) ?? null,
  }));
  return [viewQueue(artwork), ...numberedCalls, ...deliveries.map(viewDelivery)];
}

/**
 * Renumbers the attempts of each call, because their stored numbers start at 1 again for each engine and each round.
 * Keeps gaps: an attempt whose worker died has no row, but Temporal has counted it.
 */
function numbered(steps: readonly Step[]): Step[] {
  const latest = new Map<string, number>();
  return steps.map((one) => {
    const attempt = Math.max(one.attempt, (latest.get(one.name) ?? 0) + 1);
    latest.set(one.name, attempt);
    return { ...one, attempt };
  });
}

const byTime = (a: Step, b: Step) => timeOf(a).localeCompare(timeOf(b));
const timeOf = ({ startedAt, endedAt }: Step) => startedAt ?? endedAt ?? '';

/** Fields of a step without a model that has not failed. */
const plain = { model: null, submissions: null, error: null, errorCode: null };

const viewQueue = ({ createdAt, startedAt, finishedAt }: Artwork): Step => ({
  ...plain,
  name: 'queue',
  attempt: 1,
  startedAt: createdAt.toISOString(),
  endedAt: (startedAt ?? finishedAt)?.toISOString() ?? null,
});

const viewResult = ({ call, model, attempt, startedAt, finishedAt }: CallResult): Step => ({
  ...plain,
  name: call,
  model,
  attempt: attempt ?? 1,
  startedAt: startedAt?.toISOString() ?? null,
  endedAt: finishedAt.toISOString(),
});

/** @param clientMessage undefined for the default of the error table */
function viewFailure(
  { call, engine, attempt, startedAt, endedAt, code }: FailedAttempt,
  clientMessage: string | undefined,
): Step {
  // `unavailable` describes a rejected request. In a step, it means that the provider was not available.
  const errorCode: ErrorCode = code === 'unavailable' ? 'provider_unavailable' : code;
  const { status, message } = errors[errorCode];
  return {
    name: call,
    model: engine,
    submissions: null,
    attempt,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt.toISOString(),
    error: { status, message: clientMessage ?? message },
    errorCode,
  };
}

const viewDelivery = ({ attempt, at, durationMs, status, error }: Delivery): Step => ({
  ...plain,
  name: 'delivery',
  attempt,
  startedAt: at.toISOString(),
  endedAt: new Date(at.getTime() + durationMs).toISOString(),
  error: error == null ? null : { status: status ?? null, message: error },
});
