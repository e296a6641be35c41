/** Jobs at providers, and the state of providers that all workers share. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { SubmittedModel } from '../../schemas/submitted-model.ts';
import { Artwork } from './artwork.ts';
import { time } from './time.ts';

/** The submissions of a call to an engine, and its job. The job's id is stored at once, so a crash causes no second job. */
export const Job = defineEntity({
  name: 'Job',
  properties: {
    artwork: () => p.manyToOne(Artwork).mapToPk().primary().deleteRule('cascade'),
    call: p.text().primary(),
    engine: p.text().primary(),
    /** The name in the catalogue. */
    model: p.text(),
    /** The provider's id; null until the provider has responded, and for providers without jobs. */
    remoteId: p.text().nullable(),
    /** Null without a job, and for jobs of earlier releases. */
    submittedTo: p.json<SubmittedModel>().nullable(),
    submittedAt: time(),
    /** When the result was stored, or the provider no longer had the job. */
    endedAt: time().nullable(),
    /** The number of submissions of the call to this engine. */
    submissions: p.integer(),
    /** The submissions that the provider may have charged for: all but those that it has refused. */
    charges: p.integer().default(0),
    /**
     * The end of the lease on the last submission, until its outcome is known. The submitting attempt renews it; other
     * attempts may submit the call only after it has expired.
     */
    leasedUntil: time().nullable(),
  },
});
export type Job = InferEntity<typeof Job>;

/**
 * A job that its provider must still cancel, or whose copies at the provider must still be deleted. The row outlives the
 * artwork, and contains nothing of its client.
 */
export const ObsoleteJob = defineEntity({
  name: 'ObsoleteJob',
  indexes: [{ properties: ['nextAt'] }],
  properties: {
    engine: p.text().primary(),
    /** The provider's id. */
    remoteId: p.text().primary(),
    /** The name in the catalogue. */
    model: p.text(),
    /** Null for jobs of earlier releases. */
    submittedTo: p.json<SubmittedModel>().nullable(),
    /** Whether the job has ended. Then only its copies must be deleted. */
    isEnded: p.boolean(),
    /** Requests to the provider so far. */
    attempts: p.integer().default(0),
    nextAt: time(),
    /** When the row is deleted although the provider has confirmed nothing. */
    giveUpAt: time(),
  },
});
export type ObsoleteJob = InferEntity<typeof ObsoleteJob>;

/** A provider's engine in the engines file of a running worker, or of one that ran before. */
export const ConfiguredEngine = defineEntity({
  name: 'ConfiguredEngine',
  properties: {
    name: p.text().primary(),
    /** When a worker with this engine last ran. */
    seenAt: time(),
  },
});

/** The state of one provider. */
export const EngineState = defineEntity({
  name: 'EngineState',
  properties: {
    name: p.text().primary(),
    /** When an operator has paused the engine. */
    pausedAt: time().nullable(),
    /** The end of the pause that the provider has requested. */
    heldUntil: time().nullable(),
    /** When the next call may start, by the provider's rate. */
    nextAt: p.datetime(6).nullable(),
  },
});
export type EngineState = InferEntity<typeof EngineState>;

/** An occupied slot. The call renews the slot every few seconds; otherwise the slot becomes free. */
export const RunningCall = defineEntity({
  name: 'RunningCall',
  properties: {
    engine: p.text().primary(),
    artwork: p.text().primary(),
    call: p.text().primary(),
    /** When the call last renewed its slot. */
    beatAt: time(),
  },
});

/** The permits of one worker to take calls from a provider's queue. The worker renews them; otherwise they are free again. */
export const PollPermit = defineEntity({
  name: 'PollPermit',
  properties: {
    engine: p.text().primary(),
    worker: p.text().primary(),
    held: p.integer(),
    /** How many of them belong to calls that have not started, or to polls. */
    waiting: p.integer(),
    /** When the worker last renewed them. */
    beatAt: time(),
  },
});
