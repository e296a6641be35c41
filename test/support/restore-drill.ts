/** A restore drill: the service under load, its backups, its loss, and the measured times. */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { startFal } from '../upstreams/fal.ts';
import { startReplicate } from '../upstreams/replicate.ts';
import { openAccounts } from './accounts.ts';
import { create, ended } from './client.ts';
import type { Backend } from './deployment-backends.ts';
import { type Deployment, startDeployment } from './deployment.ts';
import {
  boat,
  createDrillArtworks,
  createOnce,
  type DrillArtworks,
  type Request,
  type Surroundings,
} from './drill-artworks.ts';
import { apiKey, at, enginesEnv, flux, schnell } from './engines.ts';
import type { PageCommands } from './page-commands.ts';
import { priced } from './prices.ts';
import { startReceiver } from './receiver.ts';
import { type RepeatingClient, startRepeatingClient } from './repeating-client.ts';
import { shared } from './shared.ts';

export interface RestoreDrill extends Surroundings {
  deployment: Deployment;
  /** The artworks that clients create all the time. */
  load(): RepeatingClient;
  /** Starts the load, and creates artworks in every state that a restore has to continue. */
  begin(): Promise<DrillArtworks>;
  /** Returns the artworks that have been accepted so far, except for brief ones. */
  acceptedWith(made: DrillArtworks): string[];
  /** Creates and delivers an artwork that no backup has. */
  createLost(): Promise<Request>;
  /** Loses all processes and these backends. Returns the time in epoch milliseconds. */
  lose(...backends: Backend[]): Promise<number>;
  /**
   * Restores backends, then starts the service and revives artworks. Waits until the artworks have ended.
   * @returns the number of revived artworks and uploads
   */
  restore(backends: () => Promise<void>, ids: readonly string[]): Promise<number>;
  stop(): Promise<void>;
}

export interface RestoreDrillOptions {
  page: PageCommands;
  /** Settings of the first PostgreSQL server. */
  settings(backups: string): Readonly<Record<string, string>>;
}

/** Credits for each artwork. */
export const price = 10;
/** Milliseconds for an artwork. New workers load models, which takes long on a busy machine. */
const timeout = 90_000;

export async function startRestoreDrill({ page, settings }: RestoreDrillOptions): Promise<RestoreDrill> {
  let isReceiverDown = true;
  const [receiver, provider, fal] = await Promise.all([
    startReceiver((response, _nth, { path }) => {
      response.writeHead(isReceiverDown && path.endsWith('/refused') ? 500 : 200).end();
    }),
    startReplicate({ apiKey }),
    startFal({ apiKey }),
  ]);
  const closeOutside = () => Promise.all([receiver, provider, fal].map((one) => one.close()));
  const engines = enginesEnv(shared().folder, {
    engines: { fal: at('fal', fal), replicate: at('replicate', provider) },
    models: { selena: [flux], quantum: [schnell] },
  });
  const prices = await priced({ selena: { base: price }, quantum: { base: price } });
  const deployment = await startDeployment({
    ...{ page, settings },
    env: { ...engines, ...prices, ATELIER_WEBHOOK_SCHEDULE: '0s,2s,4s,8s,16s,32s,64s' },
    ofSecondApi: { ATELIER_RETENTION: '20s', ATELIER_WEBHOOK_SCHEDULE: '0s,2s,4s,8s' },
  }).catch(async (error: unknown) => {
    // Otherwise, they keep Jest from ending.
    await closeOutside();
    throw error;
  });
  const { stack } = deployment;
  const accounts = await openAccounts(stack);
  const key = await accounts.newKey({ credits: 1_000_000 });
  await accounts.close();
  const client = { baseUrl: stack.baseUrl, baseUrls: stack.baseUrls, adminKey: key.apiKey };
  const body = { ...boat, webhookUrl: receiver.url };
  let load: RepeatingClient | null = null;

  return {
    ...{ deployment, client, key, receiver, provider },
    load: () => load as RepeatingClient,
    async begin() {
      isReceiverDown = true;
      load = startRepeatingClient(
        // The artworks of the second API expire within seconds.
        { baseUrls: [client.baseUrl] },
        { apiKey: client.adminKey, atOnce: 2, pause: 700, requests: [{ operation: 'selena', body }] },
      );
      return await createDrillArtworks({ client, key, receiver, provider });
    },
    acceptedWith: ({ delivered, refused, waiting, uploaded, encoded }) => [
      ...(load?.accepted ?? []),
      ...[delivered.id, refused, waiting.id, uploaded, encoded.id],
    ],
    async createLost() {
      const lost = await createOnce(client, { key: randomUUID(), body });
      await receiver.until(lost.id, 1, timeout);
      return lost;
    },
    async lose(...backends) {
      await deployment.lose(...backends);
      load?.abandon();
      return Date.now();
    },
    async restore(backends, ids) {
      const sinceLoss = stopwatch();
      await backends();
      const data = sinceLoss();
      await deployment.startService();
      await create(client, boat);
      const accepted = sinceLoss();
      const sinceStart = stopwatch();
      const output = await deployment.asService(page.block('revive'));
      const revival = sinceStart();
      provider.release();
      isReceiverDown = false;
      for (const id of ids) await ended(client, id, timeout);
      console.info(
        `after the loss: data restored ${data} s, first artwork accepted ${accepted} s, ` +
          `${ids.length} artworks ended ${sinceLoss()} s; revive --all took ${revival} s:\n${output.trim()}`,
      );
      return Number(/^revived +(\d+)$/m.exec(output)?.[1]);
    },
    async stop() {
      load?.abandon();
      await deployment.stop();
      await closeOutside();
    },
  };
}

/** Returns a function that returns the seconds since now. */
export function stopwatch(): () => string {
  const began = performance.now();
  return () => ((performance.now() - began) / 1000).toFixed(1);
}

/** Returns the size of a file or a folder in megabytes, for people. */
export const sizeOf = (path: string) => `${execFileSync('du', ['-sm', path], { encoding: 'utf8' }).split('\t')[0]} MB`;
