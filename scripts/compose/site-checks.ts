/** The checks of the drill of two machines: ended artworks, their events, their images, and their number. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Agent, fetch } from 'undici';
import { verifyWebhook } from '../../clients/verify-webhook.ts';
import { call, ended } from '../../test/support/client.ts';
import type { Receiver } from '../../test/support/receiver.ts';
import type { Docker } from './docker.ts';
import type { Elsewhere } from './elsewhere.ts';
import type { Machine } from './machines.ts';
import { type Account, expectEqual } from './steps.ts';

export interface TwoMachines {
  docker: Docker;
  /** An empty folder. */
  folder: string;
  /** The address of this machine on Docker's bridge, on which `receiver` listens. */
  address: string;
  receiver: Receiver;
  say: (text: string) => void;
}

export interface Site extends TwoMachines {
  elsewhere: Elsewhere;
  machines: readonly Machine[];
  /** Uses the load balancer. */
  account: Account;
}

/** A red square of 64 pixels. */
const image =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAAA1BMVEX/AAAZ4gk3AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAG0lEQVRYhe3BgQAAAADDoPlT3+AEVQEAAAB0DRBAAAGx1LfoAAAAAElFTkSuQmCC';

/** Returns the bodies of requests whose events reach the receiver. */
export function request({ url }: Receiver) {
  const webhookUrl = url.replace(/\d+\.\d+\.\d+\.\d+/, 'host.docker.internal');
  const selena = { prompt: 'a lighthouse in the evening', width: 512, height: 384, webhookUrl };
  return { webhookUrl, selena, upscaling: { image, scale: 2, webhookUrl } };
}

/** Expects that each artwork succeeds, sends one event, and that its image can be read through both machines. */
export async function expectEnded(site: Site, ids: readonly string[]): Promise<void> {
  const { account, machines, receiver } = site;
  for (const id of ids) {
    // While a machine is down, the load balancer is the way to the other.
    const artwork = await untilEnded(account, id);
    expectEqual(`${id} is`, artwork.status, 'SUCCEEDED');
    const received = await receiver.until(id, 1, 120_000);
    expectEqual(`different events of ${id}:`, new Set(received.map(({ raw }) => raw.toString())).size, 1);
    const [delivered] = received;
    if (delivered) await verifyWebhook(delivered.raw, delivered.headers, account.webhookSecret);
    const [first] = artwork.images;
    const { pathname, search } = new URL(first?.url ?? '');
    for (const baseUrl of [account.baseUrl, ...machines.map((machine) => machine.baseUrl)]) {
      const bytes = await readLink(site, `${baseUrl}${pathname}${search}`).catch(() => null);
      // The load balancer always leads to a machine that is up.
      if (bytes === null && baseUrl !== account.baseUrl) continue;
      expectEqual(`bytes of the image of ${id}`, bytes, first?.bytes);
    }
  }
}

async function untilEnded(account: Account, id: string) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ended(account, id, 240_000);
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(500);
    }
  }
}

/** Follows the link to the store, which has a name that only containers know. @returns the number of bytes */
async function readLink({ elsewhere, address }: Site, url: string): Promise<number> {
  const link = await fetch(url, { redirect: 'manual' });
  expectEqual('an image link', link.status, 302);
  const target = new URL(link.headers.get('location') ?? '');
  const dispatcher = new Agent({
    connect: {
      ca: elsewhere.authority,
      lookup: (_host, _options, callback) => callback(null, [{ address, family: 4 }]),
    },
  });
  try {
    const response = await fetch(target, { dispatcher });
    expectEqual('the image in the store', response.status, 200);
    return (await response.arrayBuffer()).byteLength;
  } finally {
    await dispatcher.close();
  }
}

/** Expects one row for each artwork that was accepted and not deleted. */
export async function expectCounted({ databaseUrl }: Elsewhere, ids: readonly string[]): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      `select id from artwork where status <> 'ABANDONED' order by id`,
    );
    expectEqual('the artworks in the database', rows.map(({ id }) => id).join(), [...ids].sort().join());
  } finally {
    await client.end();
  }
}

/** Reads through the load balancer all the time. */
export function watch(account: Account) {
  let stopping = false;
  const result = { requests: 0, failed: 0, slowest: '0' };
  let slowest = 0;
  const reading = (async () => {
    while (!stopping) {
      const began = performance.now();
      const status = await call(`${account.baseUrl}/v2/artworks?limit=1`, { key: account.adminKey }).then(
        (response) => response.status,
        () => 0,
      );
      result.requests += 1;
      if (status !== 200) result.failed += 1;
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(100);
    }
  })();
  return {
    async stop() {
      stopping = true;
      await reading;
      return { ...result, slowest: (slowest / 1000).toFixed(1) };
    },
  };
}
