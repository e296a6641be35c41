/** `operator artworks stuck`, `revive` and `workflow`: finds artworks without a workflow, and starts and shows workflows. */
import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Command } from 'commander';
import type { Config } from '../runtime/config.ts';
import { isUnavailable } from '../services/problem.ts';
import { reviveArtwork, type ReviveDependencies, type ReviveOptions, type ReviveOutcome } from '../services/revive.ts';
import { reviveAll, reviveStuck } from '../services/revive-all.ts';
import { pagesOfStuck, type StuckKind, stuckKinds } from '../services/stuck.ts';
import { findRetained, type RetainedArtwork } from '../store/retained.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { recordOwn } from './record-own.ts';
import { withReviveDependencies } from './revive-dependencies.ts';
import { withTemporal } from './temporal.ts';
import { describeWorkflow, listEvents } from './workflow-view.ts';

export function addWorkflowCommands(artworks: Command, context: Context & { config: Config }): void {
  const { db, config } = context;
  artworks
    .command('stuck')
    .description('list artworks that nothing will continue; exits with 1 if there are any')
    .action(async () => {
      const rows = await withTemporal(config, (temporal) => listStuck({ db, temporal, now: Date.now }));
      print(context, rows);
      if (rows.length > 0) context.fail();
    });
  artworks
    .command('revive')
    .description('start the workflow of an artwork again if it is gone; the artwork continues from what is stored')
    .argument('[ids...]')
    .option('--stuck', 'revive every artwork that `artworks stuck` finds, and purge what has expired')
    .option('--all', 'revive every artwork and every upload, and purge what has expired; for use after a restore')
    .option('--restart-unfinished', 'also if its workflow runs; for a database older than Temporal')
    .action(async (ids: string[], { all = false, stuck = false, restartUnfinished = false }: ReviveFlags) => {
      const given = [all, stuck, ids.length > 0].filter(Boolean);
      if (given.length !== 1) throw new Error('Use exactly one of these: ids of artworks, --stuck or --all.');
      const revive = all ? reviveInBulk(reviveAll, 'all') : stuck ? reviveInBulk(reviveStuck, 'stuck') : reviveSome;
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

async function listStuck(deps: Parameters<typeof pagesOfStuck>[0]): Promise<{ id: string; why: StuckKind }[]> {
  const rows = [];
  for (const why of stuckKinds) {
    for await (const ids of pagesOfStuck(deps, why)) rows.push(...ids.map((id) => ({ id, why })));
  }
  return rows;
}

interface ReviveFlags extends Partial<ReviveOptions> {
  all?: boolean;
  stuck?: boolean;
}

type Revive = (context: Context, deps: ReviveDependencies, options: ReviveOptions, ids: string[]) => Promise<void>;

const reviveSome: Revive = async (context, deps, options, ids) => {
  const outcomes: { id: string; outcome: string }[] = [];
  for (const id of ids) {
    const artwork = await findRetained(deps.db, id);
    const outcome = artwork
      ? reviveOne(context, deps, artwork, options)
      : Promise.reject(new Error('There is no such artwork.'));
    outcomes.push({ id, outcome: await outcome.catch((error: unknown) => failure(context, error)) });
  }
  print(context, outcomes);
};

async function reviveOne(
  context: Context,
  deps: ReviveDependencies,
  artwork: RetainedArtwork,
  options: ReviveOptions,
): Promise<ReviveOutcome> {
  const { id: target, org } = artwork;
  await recordOwn(context, { action: 'artwork.revived', target, org, changes: { ...options } });
  return reviveArtwork(deps, artwork, options);
}

/** @throws the error when Temporal cannot be reached, because no other artwork can be revived then */
function failure({ fail }: Context, error: unknown): string {
  if (isUnavailable(error)) throw error;
  fail();
  return `failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** Artworks and uploads between two lines of progress. */
const progressInterval = 1000;

const reviveInBulk =
  (revive: typeof reviveAll, target: 'all' | 'stuck'): Revive =>
  async (context, deps, options) => {
    await recordOwn(context, { action: 'artworks.revived', target, changes: { ...options } });
    let shown = 0;
    const counts = await revive(deps, {
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
