/** The report of an erasure: what was erased, and what remains elsewhere for how long. Contains ids, counts and times. */
import type { Client } from '@temporalio/client';
import { callTemporal } from '../runtime/temporal.ts';
import { temporalTimeout } from '../runtime/timeouts.ts';
import type { PlainTable } from '../store/owned-rows.ts';

export const noCounts = {
  artworks: 0,
  /** Results, prepared input images and uploads. */
  files: 0,
  /** Bytes of these files. */
  bytes: 0,
  uploads: 0,
  styles: 0,
  keys: 0,
  ledgerEntries: 0,
  usageSums: 0,
  auditEntries: 0,
  auditSeals: 0,
  webhookDestinations: 0,
  workflowsEnded: 0,
  /** Jobs that providers are requested to cancel. */
  jobsAtProviders: 0,
};
export type ErasureCounts = typeof noCounts;

/** The count of each table whose rows are deleted by organization. */
export const countOf = {
  style: 'styles',
  usage: 'usageSums',
  audit_entry: 'auditEntries',
  audit_seal: 'auditSeals',
  failing_destination: 'webhookDestinations',
} as const satisfies Record<PlainTable, keyof ErasureCounts>;
export const tables = Object.keys(countOf) as PlainTable[];

export interface Remainder {
  place: string;
  holds: string;
  until: string;
}

export interface ErasureReport {
  orgId: string;
  /**
   * `absent`: there was no such organization, or an earlier run of the command has erased it. `interrupted`: an error ended
   * the erasure, and the same command continues it.
   */
  outcome: 'erased' | 'interrupted' | 'absent' | 'dry run';
  startedAt: string;
  finishedAt: string;
  /** By this run of the command; in a dry run, what would be erased. */
  counts: ErasureCounts;
  remains: Remainder[];
}

const day = 86_400_000;
/** Milliseconds for which requests about obsolete jobs are repeated (`store/obsolete-jobs.ts`). */
const jobRetention = 8 * day;

/** Milliseconds. */
interface Retentions {
  closedWorkflows: number;
  artworks: number;
}

/** Returns what an erasure cannot delete, with the time at which each is gone if nothing else is said. */
export function describeRemains({ closedWorkflows, artworks }: Retentions, now: Date): Remainder[] {
  const after = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  return [
    {
      place: 'Temporal: closed workflows',
      holds: 'ids of the organization, keys and artworks; times, statuses, models',
      until: after(closedWorkflows),
    },
    {
      place: 'Temporal: workflows of files that clients had deleted',
      holds: 'ids of the organization and of the file',
      until: after(artworks + closedWorkflows),
    },
    {
      place: 'PostgreSQL: jobs that providers must still cancel',
      holds: "the provider's id of each job, and its model",
      until: after(jobRetention),
    },
    { place: 'providers', holds: 'copies by their own rules', until: 'see docs/engines/README.md' },
    { place: 'receivers of webhooks', holds: 'the events that they have accepted', until: 'the client decides' },
    { place: 'backups and archived WAL', holds: 'everything, as it was', until: 'you delete them' },
    { place: 'logs', holds: 'ids, times, names, addresses of clients', until: 'your log store deletes them' },
  ];
}

/** Returns the milliseconds for which Temporal keeps closed workflows. @throws as `callTemporal` */
export async function readRetention({ connection, options, workflowService }: Client): Promise<number> {
  const { namespace } = options;
  const { config } = await callTemporal(connection, temporalTimeout, () =>
    workflowService.describeNamespace({ namespace }),
  );
  return Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1000;
}
