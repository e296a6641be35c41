/** Results, error messages and failed attempts of calls. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ErrorCode } from '../../schemas/errors.ts';
import type { FinishReason, Written } from '../../schemas/writing.ts';
import { Artwork } from './artwork.ts';
import { time } from './time.ts';

/** The result of a call. A stored result is never computed again. */
export const CallResult = defineEntity({
  name: 'CallResult',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    model: p.text(),
    text: p.text().nullable(),
    /** From a language model; null for other models. */
    finishReason: p.text().$type<FinishReason>().nullable(),
    usage: p.json<Written['usage']>().nullable(),
    /** The attempt that succeeded. */
    attempt: p.integer().nullable(),
    startedAt: time().nullable(),
    finishedAt: time(),
  },
});
export type CallResult = InferEntity<typeof CallResult>;

/** The error message of a failed call. It may quote the request, so it is stored here and not in the history. */
export const CallMessage = defineEntity({
  name: 'CallMessage',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    message: p.text(),
  },
});

/** A failed attempt of a call. */
export const FailedAttempt = defineEntity({
  name: 'FailedAttempt',
  tableName: 'failed_try',
  indexes: [{ properties: ['artwork', 'call'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    artwork: () => p.manyToOne(Artwork).mapToPk().deleteRule('cascade'),
    call: p.text(),
    engine: p.text(),
    attempt: p.integer(),
    startedAt: time(),
    endedAt: time(),
    code: p.text().$type<ErrorCode>(),
    /** When the next attempt of the call has reached an engine. */
    retriedAt: time().nullable(),
  },
});
export type FailedAttempt = InferEntity<typeof FailedAttempt>;
