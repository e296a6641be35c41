/** What all workers know of providers and of the jobs there. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Artwork } from './artwork.ts';
import { time } from './time.ts';

/** What a call has left with a provider: kept before the wait, so that nothing that dies has it made and paid again. */
export const Job = defineEntity({
  name: 'Job',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    engine: p.text().primary(),
    /** The catalogue's name. */
    model: p.text(),
    /** As the provider names it; null while a submission is on its way, and of providers that answer in one call. */
    remoteId: p.text().nullable(),
    submittedAt: time(),
    /** When its result was kept, or its provider had it no more. */
    endedAt: time().nullable(),
    /** How often the call was submitted to this engine. */
    submissions: p.integer(),
  },
});
export type Job = InferEntity<typeof Job>;

/** What all workers know of a provider. */
export const EngineState = defineEntity({
  name: 'EngineState',
  properties: {
    name: p.text().primary(),
    /** By an operator. */
    pausedAt: time().nullable(),
    /** It asked to be left alone until then. */
    heldUntil: time().nullable(),
    /** When the next call may begin. */
    nextAt: p.datetime(6).nullable(),
  },
});
export type EngineState = InferEntity<typeof EngineState>;

/** A call that a provider is at work on, told of every few seconds: what is silent has died and counts no more. */
export const RunningCall = defineEntity({
  name: 'RunningCall',
  properties: {
    engine: p.text().primary(),
    artwork: p.text().primary(),
    call: p.text().primary(),
    beatAt: time(),
  },
});
