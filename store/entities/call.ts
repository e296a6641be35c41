/** What became of an artwork's calls. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ErrorCode } from '../../schemas/errors.ts';
import type { FinishReason, Written } from '../../schemas/writing.ts';
import { Artwork } from './artwork.ts';
import { time } from './time.ts';

/** What a call of the plan gave: once it is here, no retry makes it again. */
export const CallResult = defineEntity({
  name: 'CallResult',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    model: p.text(),
    text: p.text().nullable(),
    /** Of a language model: why it stopped, and what it counted. */
    finishReason: p.text().$type<FinishReason>().nullable(),
    usage: p.json<Written['usage']>().nullable(),
    /** Of the try that gave it. */
    attempt: p.integer().nullable(),
    startedAt: time().nullable(),
    finishedAt: time(),
  },
});
export type CallResult = InferEntity<typeof CallResult>;

/** What a client may read of a call that failed. Here and not in the history, because it may quote what the client said. */
export const CallMessage = defineEntity({
  name: 'CallMessage',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    message: p.text(),
  },
});

/** A try of a call that came to nothing. */
export const FailedTry = defineEntity({
  name: 'FailedTry',
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
    /** When a later try of the call got to its engine. */
    retriedAt: time().nullable(),
  },
});
export type FailedTry = InferEntity<typeof FailedTry>;
