/** `operator artworks stuck`, `revive` and `workflow`: finds artworks without a workflow, and starts and shows workflows. */
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Command } from 'commander';
import type { Config } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { createApiMetrics } from '../runtime/metrics.ts';
import { fileTimeouts } from '../runtime/timeouts.ts';
import { type Outcome, reviveAll, reviveArtwork, type ReviveDependencies } from '../services/revive.ts';
import { findStuck } from '../services/stuck.ts';
import { openFiles } from '../store/files.ts';
import { requireArtwork } from './artworks.ts';
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
    .option('--all', 'check every artwork and every uploaded file, as after the restore of a backup')
    .action(async (ids: string[], { all = false }: { all?: boolean }) => {
      if (all === ids.length > 0) throw new Error('Name artworks, or use --all.');
      const found = await Promise.all(ids.map((id) => requireArtwork(context, id)));
      await withReviveDependencies(context, async (deps) => {
        if (all) return print(context, await reviveAll(deps));
        const outcomes: { id: string; outcome: Outcome }[] = [];
        for (const artwork of found) outcomes.push({ id: artwork.id, outcome: await reviveArtwork(deps, artwork) });
        print(context, outcomes);
      });
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

async function show(temporal: Client, id: string, history: boolean): Promise<object> {
  try {
    return await (history ? listEvents(temporal, id) : describeWorkflow(temporal, id));
  } catch (cause) {
    if (!(cause instanceof WorkflowNotFoundError)) throw cause;
    throw new Error(`Temporal has no workflow ${id}. It has ended long ago, or it is gone.`, { cause });
  }
}

async function withReviveDependencies(
  { db, config }: Context & { config: Config },
  work: (deps: ReviveDependencies) => Promise<void>,
): Promise<void> {
  const files = await openFiles(config.files, { timeout: fileTimeouts.operator });
  const log = createLogger('operator', config.logLevel);
  await withTemporal(config, (temporal) =>
    work({ config, db, files, log, metrics: createApiMetrics(), now: Date.now, temporal }),
  );
}
