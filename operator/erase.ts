/** `operator organizations erase`: erases an organization with everything that belongs to it, and reports what remains. */
import type { Client } from '@temporalio/client';
import { Command } from 'commander';
import type { Config } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { fileTimeouts } from '../runtime/timeouts.ts';
import { eraseOrganization } from '../services/erase-organization.ts';
import {
  describeRemains,
  type ErasureCounts,
  type ErasureReport,
  noCounts,
  readRetention,
} from '../services/erasure-report.ts';
import { previewErasure } from '../services/preview-erasure.ts';
import { openFiles } from '../store/files.ts';
import { integer } from './arguments.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { withTemporal } from './temporal.ts';

interface EraseOptions {
  confirm?: string;
  dryRun?: boolean;
  /** Seconds. */
  wait: number;
}

/** Artworks and uploads between two lines of progress. */
const progressInterval = 1000;

/** @param idPattern the form of an organization's id */
export function eraseCommand(context: Context & { config: Config }, idPattern: RegExp): Command {
  return new Command('erase')
    .description(
      'erase an organization: keys, artworks, files, styles, usage, credits, audit log; can be interrupted and repeated',
    )
    .argument('<orgId>')
    .option('--confirm <orgId>', 'the same id again')
    .option('--dry-run', 'erase nothing; show what would be erased')
    .option('--wait <seconds>', 'seconds without progress after which it stops waiting for workflows', wait, 60)
    .action(async (orgId: string, options: EraseOptions) => {
      if (!idPattern.test(orgId)) throw new Error(`${orgId} is not the id of an organization: org_…`);
      const { confirm, dryRun = false } = options;
      if (!dryRun && confirm !== orgId) {
        throw new Error(`Nothing was erased. To erase ${orgId} for good, add: --confirm ${orgId}`);
      }
      show(context, await (dryRun ? preview(context, orgId) : erase(context, orgId, options)));
    });
}

const wait = (text: string) => integer(text, 1, 86_400);

async function preview({ db, config }: Context & { config: Config }, orgId: string): Promise<ErasureReport> {
  return withTemporal(config, async (temporal) => {
    const report = await startReport(config, temporal, orgId);
    return report('dry run', await previewErasure(db, orgId));
  });
}

async function erase(
  context: Context & { config: Config },
  orgId: string,
  { wait }: EraseOptions,
): Promise<ErasureReport> {
  const { db, config, author } = context;
  const counts = { ...noCounts };
  const log = createLogger('operator', config.logLevel, undefined, 2);
  const files = await openFiles(config.files, { timeout: fileTimeouts.operator });
  const erasure = { orgId, author: author(), counts, waitLimit: wait * 1000, onPage: progressOf(context) };
  return withTemporal(config, async (temporal) => {
    const report = await startReport(config, temporal, orgId);
    try {
      const exists = await eraseOrganization({ db, files, temporal, log, now: Date.now }, erasure);
      return report(exists ? 'erased' : 'absent', counts);
    } catch (error) {
      show(context, report('interrupted', counts));
      throw error;
    }
  });
}

/** Returns what makes the report in the end. It needs Temporal only now, so that no later error can prevent the report. */
async function startReport(
  { retention }: Config,
  temporal: Client,
  orgId: string,
): Promise<(outcome: ErasureReport['outcome'], counts: ErasureCounts) => ErasureReport> {
  const startedAt = new Date().toISOString();
  const retentions = { artworks: retention, closedWorkflows: await readRetention(temporal) };
  return (outcome, counts) => {
    const now = new Date();
    const remains = describeRemains(retentions, now);
    return { orgId, outcome, startedAt, finishedAt: now.toISOString(), counts, remains };
  };
}

/** Returns a listener that prints a line for every thousand artworks and uploads. */
function progressOf(context: Context): (counts: ErasureCounts) => void {
  let shown = 0;
  return ({ artworks, uploads }) => {
    if (context.isJson() || artworks + uploads - shown < progressInterval) return;
    shown = artworks + uploads;
    context.writeLine(`${artworks} artworks and ${uploads} uploads erased`);
  };
}

function show(context: Context, { counts, remains, ...others }: ErasureReport): void {
  print(context, context.isJson() ? { ...others, counts, remains } : [{ ...others, ...counts }, ...remains]);
}
