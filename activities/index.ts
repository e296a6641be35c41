/** The durable steps of an artwork, bound to what they need. Workflows know them by these names. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Outcome } from '../schemas/artwork.ts';
import type { ArtworkInput, CallTry, DeliveryAnswer, DeliveryTry, Ending, Outline } from '../schemas/workflow.ts';
import { removeUpload } from '../store/uploads.ts';
import { begin } from './begin.ts';
import { deliver } from './deliver.ts';
import type { Dependencies } from './dependencies.ts';
import { codeOf, toFailure } from './failure.ts';
import { finish } from './finish.ts';
import { createLanes } from './lanes.ts';
import { perform } from './perform.ts';
import { purge } from './purge.ts';

/** Often enough for a heartbeat timeout of two seconds to notice a dead worker. */
const heartbeatEvery = 500;

/** An unforeseen error is probably a bug, which more tries seldom mend; a deploy in the middle of one may. */
const tries = { begin: 8, perform: 3, succeed: 8 };

/** Short database steps and first delivery tries: they run inside a workflow task and cost no hop. */
export interface LocalSteps {
  begin(input: ArtworkInput): Promise<Outline | null>;
  finish(args: { id: string; ending: Ending }): Promise<Outcome | null>;
  deliver(args: DeliveryTry): Promise<DeliveryAnswer>;
  purge(args: { id: string }): Promise<void>;
  purgeFile(args: { id: string }): Promise<void>;
}

/** Tries to deliver to receivers that are slow. */
export interface DeliverySteps {
  deliverSlowly(args: DeliveryTry): Promise<DeliveryAnswer>;
}

/** Calls of engines: paid or slow, each on its engine's own task queue. */
export interface EngineSteps {
  perform(args: CallTry): Promise<void>;
}

export type Activities = LocalSteps & DeliverySteps & EngineSteps;

export function createActivities(deps: Dependencies): Activities {
  const lanes = createLanes(deps.now);
  const step =
    <Args, Result>(work: (args: Args) => Promise<Result>, unforeseen = Infinity) =>
    (args: Args) =>
      classified(deps, unforeseen, () => work(args));
  const slowTry = step((args: DeliveryTry) => heartbeating((signal) => deliver(deps, args, lanes.slow, signal)));
  return {
    begin: step((input) => begin(deps, input), tries.begin),
    // What cannot end in success ends in failure, which holds nothing that could fail.
    finish: (args) =>
      classified(deps, args.ending.status === 'SUCCEEDED' ? tries.succeed : Infinity, () => finish(deps, args)),
    deliver: step((args) => deliver(deps, args, lanes.quick, Context.current().cancellationSignal)),
    purge: step((args) => purge(deps, args)),
    purgeFile: step(({ id }) => removeUpload(deps.db, deps.files, id)),
    async deliverSlowly(args) {
      const answer = await slowTry(args);
      // Temporal makes it wait, with pauses that grow: that costs no slot and no history.
      if (answer.result === 'deferred')
        throw ApplicationFailure.create({ type: 'busy', message: 'Enough tries at once' });
      return answer;
    },
    perform: step(
      (args) => heartbeating((signal) => perform(deps, { ...args, attempt: Context.current().info.attempt }, signal)),
      tries.perform,
    ),
  };
}

/** Turns whatever a step throws into a failure of ours, and logs what nobody may read elsewhere. */
async function classified<Result>(
  deps: Dependencies,
  unforeseen: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { info, cancellationSignal } = Context.current();
  const step = info.activityType;
  const began = performance.now();
  try {
    const result = await work();
    deps.log.info(
      { step, attempt: info.attempt, durationMs: Math.round(performance.now() - began) },
      `${step} is done`,
    );
    return result;
  } catch (error) {
    // Canceled, or the worker stops: the SDK knows from the reason which, and has it run again in the second case.
    if (cancellationSignal.aborted) throw cancellationSignal.reason;
    const failure = toFailure(error, info.attempt >= unforeseen);
    deps.log.warn({ step, attempt: info.attempt, code: codeOf(error), err: error }, `${step} failed`);
    throw failure;
  }
}

/** Tells the server that this worker lives, so that another takes over soon after its death. */
async function heartbeating<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), heartbeatEvery);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
