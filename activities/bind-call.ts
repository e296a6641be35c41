/** Decides which engine runs a call: that of its outline, or another when the engines file has changed since. */
import type { Binding } from '../engines/catalogue.ts';
import { EngineError } from '../engines/contract/index.ts';
import type { Call } from '../schemas/plan.ts';
import type { Artwork } from '../store/entities.ts';
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
}

/**
 * Returns the binding of the outline's engine. If its model is no longer bound to this engine, a job there is still read
 * where the file has the provider's settings; otherwise, the model's first engine runs the call, and the earlier
 * submission counts as one that may be charged for.
 */
export async function bindCall(
  deps: Dependencies,
  { artwork, call, engine }: PlannedCall,
  signal: AbortSignal,
): Promise<Binding> {
  const { bindings } = deps.catalogue.model(call.model, artwork.plan?.test);
  const bound = bindings.find((one) => one.engine === engine);
  if (bound) return bound;
  const [first] = ableBindings(bindings, call.params);
  if (!first) throw new Error(`The model ${call.model} is bound to no engine`);
  if (engine === undefined) return first;
  const at = { artwork: artwork.id, call: call.id, engine };
  const job = await awaitOutcome(deps, at, signal);
  if (job?.remoteId == null || job.endedAt != null) return first;
  if (deps.catalogue.source(engine)?.limits && job.submittedTo) {
    return { engine, timeout: Math.max(...bindings.map(({ timeout }) => timeout)) };
  }
  await discardJob(deps.db, at, { now: new Date(deps.now()), isEnded: false });
  deps.log.warn({ artworkId: artwork.id, engine, next: first.engine }, 'The job of a removed engine cannot be read');
  return first;
}

/**
 * Returns the permit of a call for the engine that runs it. A call from the queue of another engine has none: that
 * engine's polls hold its permits also when its slots are free, so the slot alone decides when the call starts.
 * @param from the engine of the queue
 * @param permit that of the queue
 * @throws EngineError when this process does not run the engine
 */
export function permitAt(
  { roles, catalogue }: Dependencies,
  { engine, from = engine, permit }: { engine: string; from: string | undefined; permit: Permit },
): Permit {
  if (from === engine) return permit;
  const role = catalogue.source(engine)?.role;
  if (role && !roles.has(role)) {
    throw new EngineError('provider_unavailable', `${engine} runs in other workers, which the next attempt may reach`);
  }
  permit.release();
  return noPermit;
}
