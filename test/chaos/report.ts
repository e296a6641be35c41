/** Formats the report of a run. */
import type { Report } from './run.ts';

export function formatReport(report: Report): string {
  const { form, seed, seconds, rounds, verdicts, texts, events, violations, payments, memory } = report;
  const faults = rounds.flatMap(({ names }) => names).length;
  const statuses = Map.groupBy(verdicts, ({ status }) => status ?? 'deleted');
  const ended = [...statuses].map(([status, all]) => `${status} ${all.length}`).join(', ');
  const recoveries = rounds.map(({ recovery }) => recovery / 1000).sort((a, b) => a - b);
  const slowest = rounds.toSorted((a, b) => b.recovery - a.recovery).slice(0, 5);
  const lines = [
    `${form}, seed ${seed}: ${faults} faults in ${Math.round(seconds)} s`,
    `  artworks     ${verdicts.length} (${ended}); ${texts} texts`,
    `  events       ${events.received}; ${events.repeated} repeated without a request`,
    `  violations   ${violations.length}`,
    ...violations.map((violation) => `    ${violation}`),
    ...(violations.length === 0 ? [] : rounds.map(({ names, from, to }) => `    ${from}–${to} ${names.join(' + ')}`)),
    ...Object.entries(payments).map(
      ([kind, { calls, paid, explained }]) =>
        `  ${kind.padEnd(12)} ${calls} calls, ${paid} paid (${ratio(paid, calls)} per call; ${explained} repeated after a lost response or a dead worker)`,
    ),
    `  recovery     p50 ${at(recoveries, 0.5)} s, p90 ${at(recoveries, 0.9)} s, max ${at(recoveries, 1)} s`,
    ...slowest.map(({ names, recovery }) => `    ${(recovery / 1000).toFixed(1)} s after ${names.join(' + ')}`),
    '  memory, MiB  start → end (peak)',
    ...[...memory].map(([name, { start, end, peak }]) => `    ${name.padEnd(10)} ${start} → ${end} (${peak})`),
  ];
  return lines.join('\n');
}

const ratio = (paid: number, calls: number) => (calls === 0 ? '–' : (paid / calls).toFixed(3));

const at = (sorted: readonly number[], share: number) =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN).toFixed(1);
