/** The first step of an artwork: waits for its row, sets its status to PROCESSING and returns the shape of its plan. */
import { setTimeout as delay } from 'node:timers/promises';
import { requestTimeout } from '../runtime/timeouts.ts';
import type { Call, Plan } from '../schemas/plan.ts';
import type { ArtworkInput, EarlierDeliveries, Outline, OutlinedCall } from '../schemas/workflow.ts';
import { beginArtwork, claimArtwork } from '../store/artworks.ts';
import { findDeliveries } from '../store/deliveries.ts';
import type { Artwork } from '../store/entities.ts';
import { ableBindings } from './able-bindings.ts';
import { checkTimeout } from './check-result.ts';
import type { Dependencies } from './dependencies.ts';
import { resultWriteTimeout } from './retry-write.ts';

/** Milliseconds to wait for the row: longer than the API takes from the start of the workflow to the end of its insert. */
const rowTimeout = requestTimeout + 250;
/**
 * Milliseconds between two reads. The row usually follows the workflow within milliseconds. The pause is a quarter of the
 * time that has passed, so that about 30 reads cover the longest wait.
 */
const shortestPause = 4;
const longestPause = 1000;

/**
 * Waits for the row and returns the shape of the plan.
 * @returns null when the request was never stored, and the client received no 202: the API has rejected it, or its
 * process died
 */
export async function begin(deps: Dependencies, input: ArtworkInput): Promise<Outline | null> {
  const beganAt = deps.now();
  for (;;) {
    const artwork = await beginArtwork(deps.db, input.id, new Date(deps.now()));
    if (artwork === 'abandoned') return leave(deps, input);
    // An artwork that has ended has no plan: this is a repeated begin, and no call is left to perform.
    if (artwork) {
      deps.nameRequest(artwork.requestId);
      const begun = outline(deps, artwork.plan ?? { prompt: null, stages: [] }, artwork.webhookUrl != null);
      const earlier = artwork.finishedAt ? await findEarlierDeliveries(deps, artwork) : null;
      return { ...begun, ...(earlier && { earlier }) };
    }
    const waited = deps.now() - beganAt;
    if (waited >= rowTimeout) {
      const times = { now: new Date(deps.now()), expiresAt: new Date(input.expiresAt) };
      if (await claimArtwork(deps.db, input, times)) return leave(deps, input);
    }
    await delay(Math.min(Math.max(waited / 4, shortestPause), longestPause));
  }
}

/** Removes the images of a request that will not be stored: its API process may have died after it had written them. */
async function leave({ files }: Dependencies, { id }: ArtworkInput): Promise<null> {
  await files.remove(id);
  return null;
}

async function findEarlierDeliveries(
  { db }: Dependencies,
  { id, redeliveries }: Artwork,
): Promise<EarlierDeliveries | null> {
  const last = (await findDeliveries(db, id)).at(-1);
  if (!last) return null;
  const { attempt: attempts, nextAt } = last;
  // Several requests for a redelivery may have led to one attempt. Then the schedule ends later.
  return { attempts, scheduled: Math.max(attempts - redeliveries, 1), nextAt: nextAt?.getTime() ?? null };
}

/** Milliseconds beyond the engine's timeout: to wait for a slot, to end the call at its timeout, and to check and store its result. */
export const grace = 90_000 + checkTimeout + resultWriteTimeout;
/**
 * Milliseconds without a heartbeat after which a call of a direct provider is attempted again. Longer than most outages
 * of Temporal, because another attempt would pay again.
 */
const directHeartbeat = 30_000;

function outline(deps: Dependencies, plan: Plan, webhook: boolean): Outline {
  return {
    webhook,
    stages: plan.stages.map(({ name, need = 'all', calls }) => ({
      name,
      need,
      calls: calls.map((call) => outlineCall(deps, call, plan.test)),
    })),
  };
}

function outlineCall(deps: Dependencies, { id, summary, model, params }: Call, test?: boolean): OutlinedCall {
  const { bindings, deadline } = deps.catalogue.model(model, test);
  const [first, ...others] = ableBindings(bindings, params).map(({ engine, timeout }) => ({
    engine,
    queue: `${deps.taskQueue}-${engine}`,
    timeout: timeout + grace,
    ...(deps.catalogue.engines.get(engine)?.isDirect && { heartbeat: directHeartbeat }),
  }));
  if (!first) throw new Error(`The model ${model} is bound to no engine`);
  return {
    id,
    summary,
    model,
    ...first,
    ...(others.length > 0 && { others }),
    ...(deadline !== undefined && { deadline }),
  };
}
