/** Creates artworks at both machines while something breaks, and expects that none is lost. */
import { startRepeatingClient } from '../../test/support/repeating-client.ts';
import { expectEnded, request, type Site, watch } from './site-checks.ts';

/** The failure, and its repair. */
export type Phase = readonly [name: string, breakIt: () => Promise<unknown>, repair?: () => Promise<unknown>];

/**
 * Creates artworks at both machines and through the load balancer, breaks something meanwhile, and waits until all artworks
 * have ended. Repairs it, and takes further artworks. The load ends before the waits, so that it never exceeds the engines.
 * @returns the ids of the artworks
 */
export async function underLoad(site: Site, ...[name, breakIt, repair]: Phase): Promise<string[]> {
  const { receiver, say } = site;
  const watched = watch(site.account);
  try {
    const clients = startClients(site);
    await clients.more(3);
    const breaking = stopwatch();
    await breakIt();
    const broken = breaking();
    await clients.more(3);
    const ids = await clients.stop();
    await expectEnded(site, ids);
    const recovered = breaking();
    const repairing = stopwatch();
    await repair?.();
    const repaired = repair ? `, repaired in ${repairing()} s` : '';
    const later = startClients(site);
    await later.more(1);
    const all = [...ids, ...(await later.stop())];
    await expectEnded(site, all);
    const { requests: reads, failed, slowest } = await watched.stop();
    const deliveries = receiver.received.filter(({ event }) => all.includes(event.id)).length;
    say(
      `${name} (${broken} s): all artworks had ended after ${recovered} s${repaired}; ` +
        `${all.length} artworks, ${deliveries - all.length} events repeated, creations repeated: ${clients.repeated()}; ` +
        `reads through the load balancer: ${reads}, ${failed} failed, slowest ${slowest} s`,
    );
    return all;
  } finally {
    await watched.stop();
  }
}

/** One client uses both machines in turn, the other one the load balancer. */
function startClients({ machines, account, receiver }: Site) {
  const { selena, upscaling } = request(receiver);
  const requests = [
    { operation: 'selena', body: selena },
    { operation: 'upscaling', body: upscaling },
  ];
  const load = { apiKey: account.adminKey, atOnce: 1, pause: 4000, requests };
  const start = (baseUrls: string[]) => startRepeatingClient({ baseUrls }, load);
  const [direct, balanced] = [start(machines.map(({ baseUrl }) => baseUrl)), start([account.baseUrl])];
  return {
    more: (count: number) => Promise.all([direct.more(count), balanced.more(count)]),
    stop: async () => [...(await direct.stop()), ...(await balanced.stop())],
    repeated: () => `${direct.repeated} at the machines, ${balanced.repeated} at the load balancer`,
  };
}

/** Returns a function that returns the seconds since now. */
function stopwatch(): () => string {
  const began = performance.now();
  return () => ((performance.now() - began) / 1000).toFixed(1);
}
