/** Runs one job in a provider's queue: submits it once, stores its id, then polls until it has ended. */
import { setTimeout as delay } from 'node:timers/promises';
import type { SubmittedModel } from '../../schemas/submitted-model.ts';
import { EngineError, type Remote, type RemoteJob } from '../contract/index.ts';
import { explained } from './explained.ts';
import { type Failure, failureOf, ProviderError } from './failures.ts';
import type { ProviderOutput, ProviderRequest, QueueProvider } from './provider.ts';

interface Options {
  /** The engine's name. */
  who: string;
  submittedTo: SubmittedModel;
  remote: Remote;
  signal: AbortSignal;
}

/** Milliseconds. The pause is a tenth of the job's age, so short jobs are not delayed and long ones polled rarely. */
const shortestPause = 50;
const longestPause = 3000;

/** A job after one of the `repeatable` failures is submitted again once. */
const maxSubmissions = 2;

/** Failures after which another submission may succeed. */
const repeatable: readonly Failure[] = ['lost', 'canceled', 'out-of-memory'];

/** Failures that a provider reports for a job that it has ended at its own deadline, a minute after ours. */
const expired: readonly Failure[] = ['canceled', 'timeout'];

/** @param request makes the request for a submission; not called when a job is stored */
export async function runJob(
  provider: QueueProvider,
  request: () => ProviderRequest,
  options: Options,
): Promise<ProviderOutput> {
  const { remote, signal } = options;
  const job = remote.job ?? (await submit(provider, request(), options));
  for (;;) {
    const state = await poll(provider, job, options);
    if (state.state === 'done') return state.output;
    const age = remote.now() - job.submittedAt;
    if (age >= remote.timeout) throw await endedByTimeout(options);
    const pause = Math.min(Math.max(age / 10, shortestPause), longestPause);
    await delay(Math.min(pause, remote.timeout - age), undefined, { signal });
  }
}

async function endedByTimeout({ who, remote }: Options): Promise<EngineError> {
  // A failed write must not replace `job-timeout`, which is final. The end of the artwork discards the job, too.
  await remote.discardJob().catch(() => undefined);
  return failureOf(who, 'job-timeout');
}

async function submit(
  provider: QueueProvider,
  request: ProviderRequest,
  { who, submittedTo, remote }: Options,
): Promise<RemoteJob> {
  await remote.acquireSlot();
  let ownError: unknown;
  const confirm = () =>
    remote.confirm().catch((error: unknown) => {
      ownError = error;
      throw error;
    });
  const id = await explained(provider, () =>
    provider.submit({ ...request, confirm, timeout: remote.timeout }, remote.submitSignal),
  ).catch((error: unknown) => {
    throw ownError ?? error;
  });
  const job = await remote.saveJob({ id, submittedTo, isShared: provider.isIdempotent ?? false });
  if (job) return job;
  throw failureOf(who, 'canceled');
}

async function poll(provider: QueueProvider, job: RemoteJob, options: Options) {
  const { submittedTo, remote, signal } = options;
  try {
    return await provider.poll(submittedTo.model, job.id, signal);
  } catch (error) {
    signal.throwIfAborted();
    const failure = provider.explain(error);
    if (!(failure instanceof ProviderError)) throw failure;
    const isOver = remote.now() - job.submittedAt >= remote.timeout;
    if (isOver && expired.includes(failure.failure)) throw await endedByTimeout(options);
    if (!repeatable.includes(failure.failure)) throw failure;
    await remote.forgetJob();
    // A server of the operator charges nothing and may have more memory later. `maxCharges` limits its submissions.
    const mayRepeat = failure.failure === 'out-of-memory' && provider.isIdempotent === true;
    if (job.charges < maxSubmissions || mayRepeat) throw failure;
    throw new EngineError('provider_rejected', `${failure.message}, after ${job.charges} submissions`);
  }
}
