/** `operator artworks stuck`, `revive` and `workflow`: finds artworks without a workflow, and starts and shows workflows. */
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Command } from 'commander';
import type { Config } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { createApiMetrics } from '../runtime/metrics.ts';
import { fileTimeouts } from '../runtime/timeouts.ts';
import { isUnavailable } from '../services/problem.ts';
import { reviveArtwork, type ReviveDependencies, type ReviveOptions } from '../services/revive.ts';
import { reviveAll } from '../services/revive-all.ts';
import { findStuck } from '../services/stuck.ts';
import { openFiles } from '../store/files.ts';
import { newId } from '../store/ids.ts';
import { openLinks } from '../store/links.ts';
import { findRetained } from '../store/retained.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { withTemporal } from './temporal.ts';
import { describeWorkflow, listEvents } from './workflow-view.ts';

export function addWorkflowCommands(artworks: Command, context: Context & { config: Config }): void {
  const { db, config } = context;
  artworks
    .command('stuck')
    .description('list artworks that nothing will continue, up to 1000 of each kind; exits with 1 if there are any')
    .action(async () => {
      const { workflowGone, overdue } = await withTemporal(config, (temporal) =>
        findStuck({ db, temporal, now: Date.now }),
      );
      const rows = [
        ...workflowGone.map((id) => ({ id, why: 'workflow_gone' })),
        ...overdue.map((id) => ({ id, why: 'overdue' })),
      ];
      print(context, rows);
      if (rows.length > 0) context.fail();
    });
  artworks
    .command('revive')
    .description('start the workflow of an artwork again if it is gone; the artwork continues from what is stored')
    .argument('[ids...]')
    .option('--all', 'revive every artwork and every upload, and purge what has expired; for use after a restore')
    .option('--restart-unfinished', 'also if its workflow runs; for a database older than Temporal')
    .action(async (ids: string[], { all = false, restartUnfinished = false }: ReviveFlags) => {
      if (all === ids.length > 0) throw new Error('Name artworks, or use --all.');
      const revive = all ? reviveEverything : reviveSome;
      await withReviveDependencies(context, (deps) => revive(context, deps, { restartUnfinished }, ids));
    });
  artworks
    .command('workflow')
    .description('show the workflow of an artwork or of an uploaded file: its state, what it waits for and its details')
    .argument('<id>')
    .option('--history', 'list the events of its history instead')
    .action(async (id: string, { history = false }: { history?: boolean }) => {
      const shown = await withTemporal(config, (temporal) => show(temporal, id, history));
      print(context, shown);
    });
}

interface ReviveFlags extends Partial<ReviveOptions> {
  all?: boolean;
}

type Revive = (context: Context, deps: ReviveDependencies, options: ReviveOptions, ids: string[]) => Promise<void>;

const reviveSome: Revive = async (context, deps, options, ids) => {
  const outcomes: { id: string; outcome: string }[] = [];
  for (const id of ids) {
    const artwork = await findRetained(deps.db, id);
    const outcome = artwork
      ? reviveArtwork(deps, artwork, options)
      : Promise.reject(new Error('There is no such artwork.'));
    outcomes.push({ id, outcome: await outcome.catch((error: unknown) => failure(context, error)) });
  }
  print(context, outcomes);
};

/** @throws the error when Temporal cannot be reached, because no other artwork can be revived then */
function failure({ fail }: Context, error: unknown): string {
  if (isUnavailable(error)) throw error;
  fail();
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** Artworks and uploads between two lines of progress. */
const progressInterval = 1000;

const reviveEverything: Revive = async (context, deps, options) => {
  let shown = 0;
  const counts = await reviveAll(deps, {
    ...options,
    onFailure: (id, error) => deps.log.error({ artworkId: id, err: error }, failure(context, error)),
    onPage({ revived, running, purged, failed }) {
      const checked = revived + running + purged + failed;
      if (context.isJson() || checked - shown < progressInterval) return;
      shown = checked;
      context.writeLine(`${checked} checked, ${revived} revived`);
    },
  });
  print(context, counts);
};

async function show(temporal: Client, id: string, history: boolean): Promise<object> {
  try {
    return await (history ? listEvents(temporal, id) : describeWorkflow(temporal, id));
  } catch (cause) {
    if (!(cause instanceof WorkflowNotFoundError)) throw cause;
    throw new Error(`Temporal has no workflow ${id}. It has ended long ago, or it is gone.`, { cause });
  }
}

async function withReviveDependencies(
  { db, config, vault }: Context & { config: Config },
  work: (deps: ReviveDependencies) => Promise<void>,
): Promise<void> {
  const files = await openFiles(config.files, { timeout: fileTimeouts.operator });
  const log = createLogger('operator', config.logLevel, undefined, 2);
  const links = openLinks(vault, config.publicUrl);
  await withTemporal(config, (temporal) =>
    work({ config, db, files, links, log, metrics: createApiMetrics(), newId, now: Date.now, temporal }),
  );
}
