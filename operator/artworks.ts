/** `operator artworks …`: looks at artworks, and does for clients what they cannot. Shows nothing that a client has said. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { readPrices } from '../services/prices.ts';
import { findOperations } from '../services/operations.ts';
import { repeat } from '../services/repeat.ts';
import { tellWorkflow } from '../services/signal-workflow.ts';
import { openUsageCounter } from '../services/usage-counter.ts';
import type { Config } from '../runtime/config.ts';
import { createLogger } from '../runtime/log.ts';
import { createApiMetrics } from '../runtime/metrics.ts';
import { type Status, statuses } from '../schemas/artwork.ts';
import { findArtwork } from '../store/artworks.ts';
import { cancelArtwork } from '../store/cancel.ts';
import { countRedelivery, findDeliveries } from '../store/deliveries.ts';
import type { Artwork } from '../store/entities.ts';
import { openFiles } from '../store/files.ts';
import { newId, newSeed } from '../store/ids.ts';
import { viewKey } from '../services/key-view.ts';
import { findKey } from '../store/keys.ts';
import { openLinks } from '../store/links.ts';
import { findCallHistory, listAllArtworks } from '../store/operator-artworks.ts';
import { type Context, print } from './print.ts';
import { withTemporal } from './temporal.ts';

interface ListOptions {
  org?: string;
  status?: Status;
  operation?: string;
  limit: number;
}

export function artworkCommands(context: Context & { config: Config }): Command {
  const { db, config, vault } = context;
  const artworks = new Command('artworks').description('list and show artworks; redeliver, cancel and retry them');
  artworks
    .command('list')
    .description('artworks, newest first')
    .option('--org <orgId>', 'of this organization')
    .addOption(new Option('--status <status>', 'in this state').choices([...statuses]))
    .option('--operation <name>', 'of this operation, such as selena')
    .option('--limit <number>', 'how many', limit, 20)
    .action(async ({ limit: most, ...wanted }: ListOptions) => {
      print(context, (await listAllArtworks(db, wanted, most)).map(view));
    });
  artworks
    .command('show')
    .description('an artwork, its calls, its jobs at providers, and every try to deliver its event')
    .argument('<id>')
    .action(async (id: string) => print(context, await inDetail(context, await named(context, id))));
  artworks
    .command('redeliver')
    .description('try to deliver its event now')
    .argument('<id>')
    .action(async (id: string) => {
      const { webhookUrl, finishedAt } = await named(context, id);
      if (webhookUrl == null) throw new Error(`The artwork ${id} has no webhookUrl`);
      if (!finishedAt) throw new Error(`The artwork ${id} has not ended, so there is no event yet`);
      if (!(await tell(config, id, 'redeliver'))) throw new Error(`Temporal has no running workflow ${id}`);
      await countRedelivery(db, id);
      print(context, { id, redelivery: 'asked for' });
    });
  artworks
    .command('cancel')
    .description('end it: its credits come back, and its receiver is told')
    .argument('<id>')
    .action(async (id: string) => {
      const { finishedAt, status } = await named(context, id);
      if (finishedAt) throw new Error(`The artwork ${id} has ended already: ${status}`);
      const isTold = await tell(config, id, 'cancel');
      const outcome = await cancelArtwork({ db, links: openLinks(vault, config.publicUrl), now: Date.now, newId }, id);
      if (outcome !== 'CANCELED') throw new Error(`The artwork ${id} has just ended: ${outcome ?? 'it is deleted'}`);
      // Its event and its purge are a workflow's.
      const workflow = isTold ? {} : { workflow: 'gone; docs/operating.md says how it is started again' };
      print(context, { id, status: outcome, ...workflow });
    });
  artworks
    .command('retry')
    .description('make what a failed artwork was asked for as a new artwork of the same key, at the prices of today')
    .argument('<id>')
    .action(async (id: string) => print(context, await retry(context, await named(context, id))));
  return artworks;
}

/** @returns whether it runs */
const tell = (config: Config, id: string, order: 'cancel' | 'redeliver'): Promise<boolean> =>
  withTemporal(config, (temporal) => tellWorkflow({ temporal }, id, order));

async function retry({ db, config }: Context & { config: Config }, artwork: Artwork): Promise<object> {
  const { id, org, status, key: keyId } = artwork;
  if (status !== 'FAILED') throw new Error(`Only what has failed is made anew, and the artwork ${id} is ${status}`);
  const operations = await findOperations();
  const operation = operations.find(({ name }) => name === artwork.operation);
  const key = await findKey(db, org, keyId);
  if (!operation || !key) throw new Error(`The operation ${artwork.operation} or the key ${keyId} is no longer there`);
  const { status: state } = viewKey(key, new Date());
  if (state !== 'active') throw new Error(`Its key ${keyId} is ${state}`);
  const prices = await readPrices(config.pricesFile, operations);
  const uses = openUsageCounter(db, createLogger('operator', config.logLevel));
  try {
    const made = await withTemporal(config, (temporal) => {
      const files = openFiles(config.imagesFolder);
      return repeat(
        { config, prices, temporal, db, files, uses, metrics: createApiMetrics(), now: Date.now, newId, newSeed },
        operation,
        key,
        artwork,
      );
    });
    return { id: made.artwork.id, status: made.artwork.status, retried: id };
  } finally {
    await uses.close();
  }
}

async function named({ db }: Context, id: string): Promise<Artwork> {
  const artwork = id.startsWith('art_') ? await findArtwork(db, id) : null;
  if (!artwork) throw new Error(`There is no artwork ${id}`);
  return artwork;
}

const iso = (time: Date | null | undefined) => time?.toISOString() ?? null;

const view = ({ id, org, key, operation, status, errorCode, reserved, charged, ...times }: Artwork) => ({
  ...{ id, orgId: org, keyId: key, operation, status, errorCode: errorCode ?? null, reserved, charged },
  ...{ createdAt: iso(times.createdAt), startedAt: iso(times.startedAt), finishedAt: iso(times.finishedAt) },
  expiresAt: iso(times.expiresAt),
});

async function inDetail({ db, isJson }: Context, artwork: Artwork): Promise<object> {
  const [{ results, failedAttempts, jobs }, deliveries] = await Promise.all([
    findCallHistory(db, artwork.id),
    findDeliveries(db, artwork.id),
  ]);
  const detail = {
    calls: results.map(({ call, model, finishedAt }) => ({ call, model, finishedAt: iso(finishedAt) })),
    failedTries: failedAttempts.map(({ call, engine, attempt, code, endedAt }) => ({
      ...{ call, engine, attempt, code, endedAt: iso(endedAt) },
    })),
    jobs: jobs.map(({ call, engine, remoteId, submissions, endedAt }) => ({
      ...{ call, engine, remoteId, submissions, endedAt: iso(endedAt) },
    })),
    webhook: artwork.webhookUrl != null,
    deliveries: deliveries.map(({ attempt, at, status, error, durationMs, nextAt }) => ({
      ...{ attempt, at: iso(at), status: status ?? null, error: error ?? null, durationMs, nextAt: iso(nextAt) },
    })),
  };
  if (isJson()) return { ...view(artwork), ...detail };
  const lines = (rows: object[]) => rows.map((row) => Object.values(row).map(String).join(' ')).join('; ') || null;
  const { calls, failedTries, jobs: open, deliveries: made } = detail;
  return {
    ...view(artwork),
    ...{ calls: lines(calls), failedTries: lines(failedTries), jobs: lines(open), deliveries: lines(made) },
  };
}

function limit(text: string): number {
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number from 1 to 99999.');
}
