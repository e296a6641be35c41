/** One job at a provider's queue: submitted once, its id kept before the wait, looked at until it has ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { EngineError, type Remote, type RemoteJob } from '../contract/index.ts';
import { type Failure, failureOf, ProviderError } from './failures.ts';
import type { ProviderOutput, ProviderRequest, QueueProvider } from './provider.ts';

interface Options {
  /** The engine's name. */
  who: string;
  remote: Remote;
  signal: AbortSignal;
}

/** Looks come after a tenth of the time so far: a short job is not kept waiting, a long one not asked a thousand times. */
const shortestPause = 50;
const longestPause = 3000;

/** A job that the provider has lost is submitted anew, but not for ever. */
const mostSubmissions = 2;

const gone: readonly Failure[] = ['lost', 'canceled'];

/** Milliseconds that the end of a job which nobody waits for any more may take. */
export const cancelTimeout = 5000;

export async function runJob(
  provider: QueueProvider,
  request: ProviderRequest,
  options: Options,
): Promise<ProviderOutput> {
  const { remote, signal } = options;
  const job = remote.job ?? (await submit(provider, request, options));
  for (;;) {
    const seen = await look(provider, request, job, options);
    if (seen.state === 'done') return seen.output;
    const age = remote.now() - job.submittedAt;
    if (age >= remote.timeout) {
      await provider.cancel(request.model, job.id, AbortSignal.timeout(cancelTimeout)).catch(() => undefined);
      throw failureOf(options.who, 'endless');
    }
    const pause = Math.min(Math.max(age / 10, shortestPause), longestPause);
    await delay(Math.min(pause, remote.timeout - age), undefined, { signal });
  }
}

async function submit(provider: QueueProvider, request: ProviderRequest, { remote, signal }: Options) {
  await remote.acquireSlot();
  return remote.saveJob(await provider.submit(request, signal));
}

async function look(provider: QueueProvider, { model }: ProviderRequest, job: RemoteJob, options: Options) {
  const { remote, signal } = options;
  try {
    return await provider.look(model, job.id, signal);
  } catch (error) {
    signal.throwIfAborted();
    const failure = provider.explain(error);
    if (!(failure instanceof ProviderError && gone.includes(failure.failure))) throw failure;
    await remote.forgetJob();
    if (job.submissions < mostSubmissions) throw failure;
    throw new EngineError('provider_rejected', `${failure.message}, for the second time`);
  }
}
