/** An address that leads to one server, and stalls or slows down on demand: its connections stay open. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

export interface StallingAddress {
  /** Host and port. */
  address: string;
  /** Lets no byte pass. */
  stall(): void;
  /** Delays each response of the server. @param milliseconds 0 ends the delay */
  slow(milliseconds: number): void;
  /** Lets everything pass that has arrived meanwhile. */
  resume(): void;
  close(): Promise<void>;
}

/** @param target host and port of the server */
export async function startStallingAddress(target: string): Promise<StallingAddress> {
  const { hostname, port } = new URL(`tcp://${target}`);
  const sockets = new Set<Socket>();
  let passing = Promise.withResolvers<void>();
  passing.resolve();
  let pause = 0;
  const gate = (wait: () => Promise<unknown>) =>
    new Transform({ transform: (chunk, _encoding, done) => void wait().then(() => done(null, chunk)) });
  const toServer = () => gate(() => passing.promise);
  const toClient = () => gate(() => Promise.all([passing.promise, pause > 0 && delay(pause)]));
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const both = [client, upstream];
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => both.forEach((one) => sockets.delete(one) && one.destroy()));
    }
    client.pipe(toServer()).pipe(upstream).pipe(toClient()).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => void (passing = Promise.withResolvers()),
    slow: (milliseconds) => void (pause = milliseconds),
    resume: () => passing.resolve(),
    async close() {
      passing.resolve();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
