/** What the API starts and the worker runs: names, ids and times only, so that a history holds nothing personal. */
import type { Outcome } from './artwork.ts';
import type { ErrorCode } from './errors.ts';

/** Under this name activities are told the id of the request. */
export const requestIdHeader = 'atelier-request-id';

/** Input of the workflow `artwork`. */
export interface ArtworkInput {
  /** The artwork's id, which is the workflow's id too. */
  id: string;
  orgId: string;
  keyId: string;
  operation: string;
  /** Epoch milliseconds after which everything is purged. */
  expiresAt: number;
  /** Milliseconds to wait before each delivery try. */
  schedule: readonly number[];
  /** For the log. Older releases lack it. */
  requestId?: string;
}

/** What a running artwork can be told, by the names of its signals. */
export const orders = {
  /** End it, and tell its receiver. */
  cancel: 'cancel',
  /** Purge it now, and tell nobody. */
  remove: 'remove',
  /** Try to deliver its event now. */
  redeliver: 'redeliver',
} as const;
export type Order = keyof typeof orders;

/** Input of the workflow `answer`. */
export interface AnswerInput extends ArtworkInput {
  /** Milliseconds that its client waits. */
  patience: number;
  /** Epoch milliseconds at which the work is to be over, a little before the client has waited. */
  until?: number;
}

/** Input of the workflow `purgeFile`. */
export interface UploadInput {
  /** The uploaded file's id, which is the workflow's id too. */
  id: string;
}

/** A plan's shape: what the workflow needs to know, without parameters. */
export interface Outline {
  stages: OutlinedStage[];
  /** Whether there is anybody to tell. */
  webhook: boolean;
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
  /** The task queue of the engine that answers it. */
  queue: string;
  /** Milliseconds that one try may take. */
  timeout: number;
  /** The name of that engine. Outlines of releases before 2.6.1 lack it and all that follows. */
  engine?: string;
  /** Engines that take over, in order, when it is down. */
  others?: OutlinedEngine[];
  /** Milliseconds that the call waits for engines that are down, over all tries. */
  deadline?: number;
}

export interface OutlinedEngine {
  engine: string;
  queue: string;
  timeout: number;
}

/** One try of a call at an engine. */
export interface CallTry {
  /** Of the artwork. */
  id: string;
  callId: string;
  /** Absent: the first that the model is bound to. */
  engine?: string;
  /** Another engine, or the story of a wait, follows: no long pause is to be made in this activity. */
  brief?: boolean;
  /** Epoch milliseconds from which on nothing is submitted any more. */
  until?: number;
}

/** What a failed try says beside its code. */
export interface FailureDetail {
  /** No other try is to be made, wherever. */
  isOver?: true;
  /** The provider has a job of the call: to ask another would buy it again. */
  holdsJob?: true;
}

/** A call that failed, by a code of the error table. */
export interface CallFailure {
  call: string;
  model: string;
  code: ErrorCode;
  /** Words of our own where the table's would say too little. Null in a workflow: they may quote what the client said. */
  message: string | null;
}

/** How the work on an artwork ended, before anything is written. */
export interface Ending {
  status: Outcome;
  /** Why it failed; null otherwise. */
  failure: CallFailure | null;
  /** Calls that failed while others made the artwork succeed. */
  failures: CallFailure[];
}

/** One delivery try. */
export interface DeliveryTry {
  id: string;
  /** From 1. */
  attempt: number;
  /** Milliseconds until the next try if this one fails; null when it is the last. */
  nextWait: number | null;
}

/**
 * What a try came to: `done` (2xx, 410, or nothing left to send), `failed` with the wait before the next,
 * or `deferred`: not made, because the receiver is slow and the caller would block others by waiting for it.
 */
export type DeliveryAnswer = { result: 'done' } | { result: 'failed'; wait: number } | { result: 'deferred' };
