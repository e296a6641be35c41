/** First step of an artwork: waits for its row, marks it PROCESSING, and tells the workflow the plan's shape. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Call, Plan } from '../schemas/plan.ts';
import type { ArtworkInput, Outline, OutlinedCall } from '../schemas/workflow.ts';
import { beginArtwork, claimArtwork } from '../store/artworks.ts';
import type { Dependencies } from './dependencies.ts';

/** Longer than an API process may take from the start of the workflow to the end of its insert. */
const patience = 6000;
/** The row usually comes within milliseconds of the workflow. */
const shortestPause = 4;
const longestPause = 32;

/** @returns null when the request was never stored: its API process died, and its client got no 202 */
export async function begin(deps: Dependencies, input: ArtworkInput): Promise<Outline | null> {
  const giveUpAt = deps.now() + patience;
  for (let pause = shortestPause; ; pause = Math.min(2 * pause, longestPause)) {
    const artwork = await beginArtwork(deps.db, input.id, new Date(deps.now()));
    // An artwork that has ended keeps no plan: this is a repeated begin, and nothing is left to be done.
    if (artwork) return outline(deps, artwork.plan ?? { prompt: null, stages: [] }, artwork.webhookUrl != null);
    if (deps.now() >= giveUpAt) {
      const times = { now: new Date(deps.now()), expiresAt: new Date(input.expiresAt) };
      if (await claimArtwork(deps.db, input, times)) {
        // Images that came with the request may have been stored before its process died.
        await deps.files.remove(input.id);
        return null;
      }
    }
    await delay(pause);
  }
}

/** For a place at a provider and its turn, for what an engine has to say at the end of its time, and for keeping that. */
const grace = 150_000;

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
  // Where none can honour what is asked, the first one says so.
  const able = bindings.filter(({ refuses }) => (refuses?.(params) ?? []).length === 0);
  const [first, ...others] = (able.length > 0 ? able : bindings).map(({ engine, timeout }) => ({
    engine,
    queue: `${deps.taskQueue}-${engine}`,
    timeout: timeout + grace,
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
