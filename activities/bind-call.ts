/** Chooses the engine that runs a call: the outline's engine, or another one if the engines file no longer binds it. */
import type { Binding } from '../engines/catalogue.ts';
import { EngineError } from '../engines/contract/index.ts';
import type { Call } from '../schemas/plan.ts';
import type { Artwork, Job } from '../store/entities.ts';
import { findSubmittedEngines, openJobId } from '../store/jobs.ts';
import { discardJob } from '../store/obsolete-jobs.ts';
import { ableBindings } from './able-bindings.ts';
import type { Dependencies } from './dependencies.ts';
import { noPermit, type Permit } from './poll-permits.ts';
import { awaitOutcome } from './submission-lease.ts';

interface PlannedCall {
  artwork: Artwork;
  call: Call;
  /** The engine of the outline. Outlines of earlier releases have none. */
  engine: string | undefined;
  /** Milliseconds that the outline gives the call. */
  timeout: number;
}

interface BoundCall {
  binding: Binding;
  /** The row of the call after `awaitOutcome`; null before the first submission, and for an embedded engine. */
  known: Job | null;
}

/**
 * Returns the binding of the engine that has an open job of the call, also when the engines file only has the settings of
 * this engine and no longer binds the model to it. Without such a job, returns the binding of the outline's engine, or of
 * the model's first engine if the file no longer binds the outline's.
 */
export async function bindCall(deps: Dependencies, planned: PlannedCall, signal: AbortSignal): Promise<BoundCall> {
  const { artwork, call, engine } = planned;
  const { bindings } = deps.catalogue.model(call.model, artwork.plan?.test);
  const holder = deps.catalogue.providers.length > 0 ? await holderOf(deps, planned, bindings, signal) : null;
  if (holder) return holder;
  const binding = bindings.find((one) => one.engine === engine) ?? ableBindings(bindings, call.params)[0];
  if (!binding) throw new Error(`The model ${call.model} is bound to no engine`);
  const isProvider = deps.catalogue.source(binding.engine)?.limits !== undefined;
  const at = { artwork: artwork.id, call: call.id, engine: binding.engine };
  return { binding, known: isProvider ? await awaitOutcome(deps, at, signal) : null };
}

/** Discards jobs that cannot be read. Their submissions still count as possible charges. */
async function holderOf(
  deps: Dependencies,
  { artwork, call, timeout }: PlannedCall,
  bindings: readonly Binding[],
  signal: AbortSignal,
): Promise<BoundCall | null> {
  for (const engine of await findSubmittedEngines(deps.db, { artwork: artwork.id, call: call.id })) {
    const source = deps.catalogue.source(engine);
    // An embedded engine holds no job.
    if (source && !source.limits) continue;
    const callAtEngine = { artwork: artwork.id, call: call.id, engine };
    const job = await awaitOutcome(deps, callAtEngine, signal);
    const remoteId = openJobId(job);
    if (!job || remoteId === null) continue;
    const bound = bindings.find((binding) => binding.engine === engine);
    if (bound) return { binding: bound, known: job };
    if (source && job.submittedTo) return { binding: { engine, timeout }, known: job };
    await discardJob(deps.db, callAtEngine, { now: new Date(deps.now()), isEnded: false, remoteId });
    deps.log.warn({ artworkId: artwork.id, engine }, 'The job of a removed engine cannot be read');
  }
  return null;
}

/**
 * Returns the permit of a call for the engine that runs it. A call from another engine's queue gets none: the polls of its
 * new engine can hold all permits while slots are free, so the slot alone decides when the call starts.
 * @param queueEngine the engine whose queue the call came from
 * @param permit the permit for that queue
 * @throws EngineError when this process does not run the engine
 */
export function permitAt(
  { roles, catalogue }: Dependencies,
  { engine, queueEngine = engine, permit }: { engine: string; queueEngine: string | undefined; permit: Permit },
): Permit {
  const role = catalogue.source(engine)?.role;
  if (role && !roles.has(role)) {
    throw new EngineError(
      'provider_unavailable',
      `This worker does not run ${engine}. The next attempt may reach one that does.`,
    );
  }
  if (queueEngine === engine) return permit;
  permit.release();
  return noPermit;
}
