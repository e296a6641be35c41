/** `operator artworks …`: lists, shows, redelivers, cancels, retries and revives artworks. Shows nothing that a client wrote. */
import { Command, Option } from 'commander';
import { readPrices } from '../services/prices.ts';
import { findOperations } from '../services/operations.ts';
import { cancelArtwork } from '../services/cancel-artwork.ts';
import { redeliverArtwork } from '../services/redeliver-artwork.ts';
import { retryArtwork } from '../services/retry-artwork.ts';
import { openUsageCounter } from '../services/usage-counter.ts';
import type { Config } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { createApiMetrics } from '../runtime/metrics.ts';
import { type Status, statuses } from '../schemas/artwork.ts';
import { findArtwork } from '../store/artworks.ts';
import { findDeliveries } from '../store/deliveries.ts';
import type { Artwork } from '../store/entities.ts';
import { fileTimeouts } from '../runtime/timeouts.ts';
import { openFiles } from '../store/files.ts';
import { newId, newSeed } from '../store/ids.ts';
import { openLinks } from '../store/links.ts';
import { findCallHistory, listAllArtworks } from '../store/operator-artworks.ts';
import { limit } from './arguments.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { withReviveDependencies } from './revive-dependencies.ts';
import { withTemporal } from './temporal.ts';

interface ListOptions {
  org?: string;
  status?: Status;
  operation?: string;
  limit: number;
}

export function artworkCommands(context: Context & { config: Config }): Command {
  const { db, config, vault } = context;
  const artworks = new Command('artworks').description('list, show, redeliver, cancel, retry and revive artworks');
  artworks
    .command('list')
    .description('list artworks, newest first')
    .option('--org <orgId>', 'only artworks of this organization')
    .addOption(new Option('--status <status>', 'only artworks with this status').choices([...statuses]))
    .option('--operation <name>', 'only artworks of this operation, such as selena')
    .option('--limit <number>', 'maximum number of artworks', limit, 20)
    .action(async ({ limit, ...wanted }: ListOptions) => {
      const names = (await findOperations()).map(({ name }) => name);
      print(context, (await listAllArtworks(db, wanted, names, limit)).map(view));
    });
  artworks
    .command('show')
    .description('show an artwork with its calls, jobs at providers and delivery attempts')
    .argument('<id>')
    .action(async (id: string) => print(context, await viewInDetail(context, await requireArtwork(context, id))));
  artworks
    .command('redeliver')
    .description('deliver the event of an artwork again, now')
    .argument('<id>')
    .action(async (id: string) => {
      const artwork = await requireArtwork(context, id);
      const isSignaled = await withReviveDependencies(context, (deps) =>
        redeliverArtwork(deps, artwork, context.author()),
      );
      if (!isSignaled) throw new Error(`The artwork ${id} is deleted.`);
      print(context, { id, redelivery: 'scheduled' });
    });
  artworks
    .command('cancel')
    .description('cancel an artwork: return its credits and send its event')
    .argument('<id>')
    .action(async (id: string) => {
      const artwork = await requireArtwork(context, id);
      const links = openLinks(vault, config.publicUrl);
      const { hasWorkflow } = await withTemporal(config, (temporal) =>
        cancelArtwork({ db, links, temporal, now: Date.now, newId }, artwork, context.author()),
      );
      // Only a workflow delivers the event and purges the artwork.
      print(context, {
        id,
        status: 'CANCELED',
        ...(!hasWorkflow && { workflow: `gone. Run: operator artworks revive ${id}` }),
      });
    });
  artworks
    .command('retry')
    .description('create a new artwork from the request of a failed one, with the same key and at current prices')
    .argument('<id>')
    .action(async (id: string) => print(context, await retry(context, await requireArtwork(context, id))));
  return artworks;
}

async function retry(context: Context & { config: Config }, failed: Artwork): Promise<object> {
  const { db, config } = context;
  const operations = await findOperations();
  const prices = await readPrices(config.pricesFile, operations);
  const log = createLogger('operator', config.logLevel, undefined, 2);
  const uses = openUsageCounter(db, log);
  const deps = { config, operations, prices, db, uses, log, now: Date.now, newId, newSeed };
  try {
    const files = await openFiles(config.files, { timeout: fileTimeouts.operator });
    const { artwork } = await withTemporal(config, (temporal) =>
      retryArtwork({ ...deps, temporal, files, metrics: createApiMetrics() }, failed, context.author()),
    );
    return { id: artwork.id, status: artwork.status, retried: failed.id };
  } finally {
    await uses.close();
  }
}

/** @throws Error when there is no such artwork */
async function requireArtwork({ db }: Context, id: string): Promise<Artwork> {
  const artwork = id.startsWith('art_') ? await findArtwork(db, id) : null;
  if (!artwork) throw new Error(`There is no artwork ${id}. Check the id.`);
  return artwork;
}

const iso = (time: Date | null | undefined) => time?.toISOString() ?? null;

const view = ({ id, org, key, environment, operation, status, errorCode, reserved, charged, ...times }: Artwork) => ({
  ...{ id, orgId: org, keyId: key, environment, operation, status, errorCode: errorCode ?? null, reserved, charged },
  ...{ createdAt: iso(times.createdAt), startedAt: iso(times.startedAt), finishedAt: iso(times.finishedAt) },
  expiresAt: iso(times.expiresAt),
});

async function viewInDetail({ db, isJson }: Context, artwork: Artwork): Promise<object> {
  const [{ results, failedAttempts, jobs }, deliveries] = await Promise.all([
    findCallHistory(db, artwork.id),
    findDeliveries(db, artwork.id),
  ]);
  const detail = {
    calls: results.map(({ call, model, finishedAt }) => ({ call, model, finishedAt: iso(finishedAt) })),
    failedAttempts: failedAttempts.map(({ call, engine, attempt, code, endedAt }) => ({
      ...{ call, engine, attempt, code, endedAt: iso(endedAt) },
    })),
    jobs: jobs.map(({ call, engine, remoteId, submissions, endedAt }) => ({
      ...{ call, engine, remoteId, submissions, endedAt: iso(endedAt) },
    })),
    requestId: artwork.requestId ?? null,
    webhook: artwork.webhookUrl != null,
    deliveries: deliveries.map(({ attempt, at, status, error, durationMs, nextAt }) => ({
      ...{ attempt, at: iso(at), status: status ?? null, error: error ?? null, durationMs, nextAt: iso(nextAt) },
    })),
  };
  if (isJson()) return { ...view(artwork), ...detail };
  const lines = (rows: object[]) => rows.map((row) => Object.values(row).map(String).join(' ')).join('; ') || null;
  return {
    ...view(artwork),
    ...{
      requestId: detail.requestId,
      calls: lines(detail.calls),
      failedAttempts: lines(detail.failedAttempts),
      jobs: lines(detail.jobs),
      deliveries: lines(detail.deliveries),
    },
  };
}
