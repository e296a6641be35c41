/**
 * Inputs and outputs of workflows and activities: only names, ids and times, so that histories contain no personal
 * data. Histories must replay, so the names of fields and signals never change.
 */
import type { Outcome } from './artwork.ts';
import type { ErrorCode } from './errors.ts';

/** Input of the workflow `artwork`. Inputs of releases up to 2.6.2 also have the id of the request, which is ignored. */
export interface ArtworkInput {
  /** The id of the artwork and of the workflow. */
  id: string;
  orgId: string;
  keyId: string;
  operation: string;
  /** Epoch milliseconds at which the artwork is purged. */
  expiresAt: number;
  /** Milliseconds to wait before each delivery attempt. */
  schedule: readonly number[];
}

/** The signals of the workflow `artwork`. */
export const signals = {
  /** Cancels the artwork and delivers the event. */
  cancel: 'cancel',
  /** Deletes the artwork now, without an event. */
  remove: 'remove',
  /** Attempts to deliver the event now. */
  redeliver: 'redeliver',
} as const;
export type Signal = keyof typeof signals;

/** Input of the workflow `answer`, which runs a synchronous request. */
export interface SynchronousRequestInput extends ArtworkInput {
  /** Timeout of the request in milliseconds. */
  patience: number;
  /** Epoch milliseconds of the deadline for the calls, shortly before the timeout. */
  until?: number;
  /** Milliseconds that the result is kept after the end. Default: one minute. */
  resultRetention?: number;
}

/** Input of the workflow `purgeFile`. */
export interface UploadInput {
  /** The id of the uploaded file and of the workflow. */
  id: string;
}

/** The part of a plan that the workflow needs: stages and calls without parameters. */
export interface Outline {
  stages: OutlinedStage[];
  /** Whether the artwork has a webhook URL. */
  webhook: boolean;
  /** The delivery attempts of an earlier workflow, if this one was revived after the artwork had ended. */
  earlier?: EarlierDeliveries;
}

export interface EarlierDeliveries {
  /** The number of the last attempt. */
  attempts: number;
  /** How many of them the schedule has used; the others were redeliveries. */
  scheduled: number;
  /** Epoch milliseconds of the next attempt; null if none is due. */
  nextAt: number | null;
}

export interface OutlinedStage {
  name: string;
  need: 'all' | 'any';
  calls: OutlinedCall[];
}

export interface OutlinedCall {
  id: string;
  summary: string;
  /** The catalogue's name for the model. */
  model: string;
  /** The task queue of the engine. */
  queue: string;
  /** Timeout of one attempt in milliseconds. */
  timeout: number;
  /** The name of the engine. Outlines of releases before 2.6.1 lack this field and those below. */
  engine?: string;
  /** Milliseconds without a heartbeat after which the call is attempted again. Default: two seconds. */
  heartbeat?: number;
  /** Engines to use while this engine is down, in order. */
  others?: OutlinedEngine[];
  /** Maximum milliseconds that the call waits for engines that are down, over all attempts. */
  deadline?: number;
}

export interface OutlinedEngine {
  engine: string;
  queue: string;
  timeout: number;
  heartbeat?: number;
}

/** One attempt of a call at an engine. */
export interface CallAttempt {
  /** The id of the artwork. */
  id: string;
  callId: string;
  /** The name of the engine. Absent: the first engine of the model's bindings. */
  engine?: string;
  /** Whether the activity fails at once before a long pause, because the workflow then waits or uses another engine. */
  brief?: boolean;
  /** Epoch milliseconds after which nothing is submitted. */
  until?: number;
}

/** Details of a failed attempt, in addition to its code. */
export interface FailureDetail {
  /** Whether no engine may attempt the call again. */
  isOver?: true;
  /** Whether the provider has a job for the call: another engine would charge for it again. */
  holdsJob?: true;
}

/** A failed call, with its code from the error table. */
export interface CallFailure {
  call: string;
  model: string;
  code: ErrorCode;
  /** A message that replaces the one of the error table. Always null in a workflow, because it may quote the client. */
  message: string | null;
}

/** The outcome of an artwork's calls, before it is stored. */
export interface Ending {
  status: Outcome;
  /** Why the artwork failed; null unless it failed. */
  failure: CallFailure | null;
  /** Calls that failed although the artwork succeeded. */
  failures: CallFailure[];
}

/** One delivery attempt. */
export interface DeliveryAttempt {
  id: string;
  /** Number of the attempt, starting at 1. */
  attempt: number;
  /** Milliseconds until the next attempt if this one fails; null if it is the last. */
  nextWait: number | null;
}

/**
 * The outcome of a delivery attempt: `done` (2xx, 410, or nothing left to send), `failed` with the wait before the next
 * attempt, or `deferred` if no attempt was made, because waiting for a slow receiver would block other deliveries.
 */
export type DeliveryResult = { result: 'done' } | { result: 'failed'; wait: number } | { result: 'deferred' };
