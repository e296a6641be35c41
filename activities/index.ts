/** The activities with their dependencies. Histories contain the names of these functions. */
import { ApplicationFailure, Context } from '@temporalio/activity';
import type { Outcome } from '../schemas/artwork.ts';
import type {
  ArtworkInput,
  CallAttempt,
  DeliveryResult,
  DeliveryAttempt,
  Ending,
  Outline,
} from '../schemas/workflow.ts';
import type { IdPrefix } from '../store/ids.ts';
import { removeUpload } from '../store/uploads.ts';
import { begin, grace } from './begin.ts';
import { callSignals } from './call-signals.ts';
import { checkId, hasId, ofArtworks, ofUploads } from './check-id.ts';
import { deliver } from './deliver.ts';
import type { Dependencies } from './dependencies.ts';
import { codeOf, isDatabaseFailure, toFailure } from './failures.ts';
import { finish } from './finish.ts';
import { createDeliverySlots } from './delivery-slots.ts';
import { perform } from './perform.ts';
import { noPermit } from './poll-permits.ts';
import { purge } from './purge.ts';

/** Milliseconds between two heartbeats, for a heartbeat timeout of two seconds. */
const heartbeatInterval = 500;

/** Maximum attempts after unexpected errors. Such an error is probably a bug, but a deployment can cause one, too. */
const maxAttempts = { begin: 8, perform: 3, succeed: 8 };

/** Short database steps and fast deliveries. As local activities, they run inside a workflow task. */
export interface LocalSteps {
  begin(input: ArtworkInput): Promise<Outline | null>;
  finish(args: { id: string; ending: Ending }): Promise<Outcome | null>;
  deliver(args: DeliveryAttempt): Promise<DeliveryResult>;
  purge(args: { id: string }): Promise<void>;
  purgeFile(args: { id: string }): Promise<void>;
}

/** Deliveries that got no fast slot: the receiver is slow, or it or the organization has too many deliveries at once. */
export interface DeliverySteps {
  deliverSlowly(args: DeliveryAttempt): Promise<DeliveryResult>;
}

/** Engine calls, which may be slow or cost money. Each engine has its own task queue. */
export interface EngineSteps {
  perform(args: CallAttempt): Promise<void>;
}

export type Activities = LocalSteps & DeliverySteps & EngineSteps;

export function createActivities(deps: Dependencies): Activities {
  const slots = createDeliverySlots(deps.now);
  const step =
    <Args extends { id: string }, Result>(
      work: (args: Args) => Promise<Result>,
      { attempts = Infinity, ids = ofArtworks }: { attempts?: number; ids?: readonly IdPrefix[] } = {},
    ) =>
    (args: Args) =>
      withFailures(deps, attempts, () => {
        checkId(args, ids);
        return work(args);
      });
  const deliverSlowly = step((args: DeliveryAttempt) =>
    heartbeating((signal) => deliver(deps, args, slots.slow, signal)),
  );
  return {
    // A request whose id is not valid was never stored. Its workflow ends with the failure of its purge.
    begin: (input) =>
      withFailures(deps, maxAttempts.begin, async () => (hasId(input, ofArtworks) ? begin(deps, input) : null)),
    // After `maxAttempts.succeed`, the workflow calls `finish` with FAILED, an ending that needs no results. Temporal
    // retries that call until it succeeds.
    finish: (args) =>
      step((ending: typeof args) => finish(deps, ending), {
        attempts: args.ending.status === 'SUCCEEDED' ? maxAttempts.succeed : Infinity,
      })(args),
    deliver: step((args) => deliver(deps, args, slots.fast, Context.current().cancellationSignal)),
    purge: step((args) => purge(deps, args)),
    purgeFile: step(({ id }) => removeUpload(deps.db, deps.files, id), { ids: ofUploads }),
    async deliverSlowly(args) {
      const outcome = await deliverSlowly(args);
      // Temporal retries with growing pauses, which occupy no slot and add nothing to the history.
      if (outcome.result === 'deferred') {
        throw ApplicationFailure.create({
          type: 'busy',
          message: 'No delivery slot is free for the receiver or its organization',
        });
      }
      return outcome;
    },
    // `perform` counts the unexpected errors of a call itself, over all of its activities.
    perform: step((args) => heartbeating(() => performWithPermit(deps, args)), { attempts: maxAttempts.perform }),
  };
}

async function performWithPermit(deps: Dependencies, args: CallAttempt): Promise<void> {
  const { attempt, taskQueue, startToCloseTimeoutMs } = Context.current().info;
  const permit = deps.permits.get(taskQueue)?.open() ?? noPermit;
  try {
    await perform(deps, { ...args, attempt, permit, timeout: startToCloseTimeoutMs - grace }, callSignals());
  } finally {
    permit.release();
  }
}

/** Logs the end of a step, and maps every error to a failure. The log has details that a history must not contain. */
async function withFailures<Result>(
  deps: Dependencies,
  attempts: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const { info, cancellationSignal } = Context.current();
  const step = info.activityType;
  const began = performance.now();
  try {
    const result = await work();
    deps.log.info(
      { step, attempt: info.attempt, durationMs: Math.round(performance.now() - began) },
      `${step} succeeded`,
    );
    return result;
  } catch (error) {
    if (cancellationSignal.aborted) throw isStopping() ? workerStopped() : cancellationSignal.reason;
    const failure = toFailure(error, info.attempt >= attempts);
    const isExplained = isDatabaseFailure(error) && deps.explainDatabaseError(error);
    const fields = { step, attempt: info.attempt, code: codeOf(error), ...(!isExplained && { err: error }) };
    deps.log.warn(fields, `${step} failed`);
    throw failure;
  }
}

/** Returns whether the step was canceled because the worker is stopping. The SDK repeats local activities itself. */
const isStopping = (): boolean => {
  const { info, cancellationDetails } = Context.current();
  return !info.isLocal && cancellationDetails?.workerShutdown === true;
};

/**
 * Returns a retryable failure, after which another worker repeats the step at once. Workflows treat the SDK's own failure
 * of a stopped worker as final.
 */
const workerStopped = () =>
  ApplicationFailure.create({ type: 'unavailable', message: 'The worker has stopped', nextRetryDelay: '100ms' });

/** Sends heartbeats while `work` runs, so that another worker takes over soon after a crash. */
async function heartbeating<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), heartbeatInterval);
  try {
    return await work(context.cancellationSignal);
  } finally {
    clearInterval(timer);
  }
}
