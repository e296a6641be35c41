/** Receives the webhooks of the demo, and checks each signature with an independent library. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { ArtworkEvent } from '../../schemas/artwork.ts';

export interface Receiver {
  url: string;
  /** Resolves to the verified event of an artwork; rejects when its signature is wrong. */
  event(artworkId: string): Promise<ArtworkEvent>;
  close(): void;
}

export async function startReceiver(secret: string): Promise<Receiver> {
  const events = new Map<string, PromiseWithResolvers<ArtworkEvent>>();
  const pending = (id: string) => {
    const one = events.get(id) ?? Promise.withResolvers<ArtworkEvent>();
    events.set(id, one);
    return one;
  };
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      response.end();
      const { id } = JSON.parse(body.toString()) as ArtworkEvent;
      try {
        const headers = request.headers as Record<string, string>;
        pending(id).resolve(new Webhook(secret).verify(body, headers) as ArtworkEvent);
      } catch (error) {
        pending(id).reject(error);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    event: (id) => pending(id).promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
