/** Judges what the providers were paid: each call once, unless the first submission or its result was lost. */
import type { Facts } from './load.ts';
import { type ProviderKind, providerKinds } from './providers.ts';
import type { System } from './system.ts';
import type { Submission } from './unreliable-upstream.ts';

export interface Payments {
  violations: string[];
  /** By kind of provider. */
  totals: Record<ProviderKind, { calls: number; paid: number; explained: number }>;
}

/** Milliseconds between the response to a submission and the moment at which its job is surely stored. */
const untilStored = 1000;

/** @param requests those for which a provider may have been paid */
export function judgePayments(system: System, requests: readonly Facts[]): Payments {
  const totals = { queue: noCalls(), direct: noCalls(), text: noCalls() };
  const violations: string[] = [];
  for (const kind of providerKinds) {
    const byMarker = Map.groupBy(system.providers.upstreams[kind].paid, ({ marker }) => marker);
    const known = new Set(requests.filter((request) => request.kind === kind).map(({ marker }) => marker));
    for (const [marker, submissions] of byMarker) {
      const repeated = submissions.slice(0, -1);
      const explained = repeated.filter((one, index) => isExplained(system, kind, one, submissions[index + 1]));
      totals[kind].calls += 1;
      totals[kind].paid += submissions.length;
      totals[kind].explained += explained.length;
      if (explained.length < repeated.length)
        violations.push(`The ${kind} call ${marker} was paid ${submissions.length} times: ${times(submissions)}`);
      if (!known.has(marker)) violations.push(`The ${kind} call ${marker} was paid for a request that was rejected`);
    }
  }
  return { violations, totals };
}

const noCalls = () => ({ calls: 0, paid: 0, explained: 0 });

/**
 * The response was lost, or the worker died before it could store the job (queue) or the result (direct). A direct
 * request is under way until its result is stored, and the worker's death loses it.
 */
function isExplained(system: System, kind: ProviderKind, one: Submission, next: Submission | undefined): boolean {
  if (one.respondedAt === null) return true;
  const until = kind === 'queue' ? one.respondedAt + untilStored : (next?.at ?? Infinity);
  return system.workerDeaths.some((death) => death >= one.at && death <= until);
}

const times = (submissions: readonly Submission[]) =>
  submissions.map(({ at, respondedAt }) => `${at} (response ${respondedAt ?? 'lost'})`).join(', ');
