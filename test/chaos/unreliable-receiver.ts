/** A webhook receiver that misbehaves on demand, at the first attempts of an event only, so that its schedule suffices. */
import { setTimeout as delay } from 'node:timers/promises';
import { type Receiver, startReceiver } from '../support/receiver.ts';

export const receiverTroubles = ['busy', 'broken', 'reset', 'slow', 'silence'] as const;
export type ReceiverTrouble = (typeof receiverTroubles)[number];

export interface UnreliableReceiver extends Receiver {
  /** The ids of the artworks whose event got a 2xx. */
  accepted: ReadonlySet<string>;
  /** Sets how first attempts are treated; null ends the trouble. */
  misbehave(trouble: ReceiverTrouble | null): void;
}

export async function startUnreliableReceiver(): Promise<UnreliableReceiver> {
  let trouble: ReceiverTrouble | null = null;
  const accepted = new Set<string>();
  const receiver = await startReceiver((response, nth, { event }) => {
    const accept = () => {
      accepted.add(event.id);
      response.end();
    };
    if (trouble === null || nth > 1) accept();
    else if (trouble === 'busy') response.writeHead(429, { 'retry-after': '1' }).end();
    else if (trouble === 'broken') response.writeHead(500).end();
    // The event was received, but the service cannot know that.
    else if (trouble === 'reset') response.socket?.resetAndDestroy();
    else if (trouble === 'slow') void delay(3000).then(accept);
    // In silence, the attempt gets no response until its timeout.
  });
  return { ...receiver, accepted, misbehave: (next) => void (trouble = next) };
}
