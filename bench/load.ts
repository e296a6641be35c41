/** Creates artworks and measures the times to the 202, and from the 202 to the webhook. */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Accepted } from '../schemas/artwork.ts';
import type { Receiver } from '../test/support/receiver.ts';
import type { Stack } from '../test/support/stack.ts';

export interface Times {
  /** Milliseconds from the request to its 202. */
  accept: number[];
  /** Milliseconds from the 202 to the webhook. */
  webhook: number[];
  /** Milliseconds from the first request to the last webhook. */
  all: number;
  ids: string[];
}

/**
 * Creates `count` artworks and waits for their webhooks.
 * @param atOnce number of clients; each sends its next request when its previous artwork has been delivered
 * @param pause milliseconds before a client's next request, so that the work for its previous one has ended
 */
export async function load(
  stack: Stack,
  receiver: Receiver,
  { count, atOnce, pause = 0 }: { count: number; atOnce: number; pause?: number },
): Promise<Times> {
  const agent = new Agent({ connections: atOnce });
  const times: Times = { accept: [], webhook: [], all: 0, ids: [] };
  let left = count;
  const client = async () => {
    while (left-- > 0) {
      const sent = performance.now();
      const baseUrl = stack.baseUrls[times.accept.length % stack.baseUrls.length];
      const response = await request(`${baseUrl}/v2/artworks/selena`, {
        dispatcher: agent,
        method: 'POST',
        headers: { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt: 'a lighthouse on a cliff at dusk', webhookUrl: receiver.url }),
      });
      if (response.statusCode !== 202) throw new Error(`${response.statusCode} ${await response.body.text()}`);
      const { id } = (await response.body.json()) as Accepted;
      const accepted = Date.now();
      times.accept.push(performance.now() - sent);
      const [delivered] = await receiver.until(id);
      times.webhook.push(Math.max((delivered?.at ?? accepted) - accepted, 0));
      times.ids.push(id);
      if (pause > 0) await delay(pause);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: atOnce }, client));
  times.all = performance.now() - began;
  await agent.close();
  return times;
}
