/** An address that leads to one server, and stalls on demand: its connections stay open, but no byte passes. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform } from 'node:stream';

export interface StallingAddress {
  /** Host and port. */
  address: string;
  stall(): void;
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
  const gate = () =>
    new Transform({ transform: (chunk, _encoding, done) => void passing.promise.then(() => done(null, chunk)) });
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const both = [client, upstream];
    for (const socket of both) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => both.forEach((one) => sockets.delete(one) && one.destroy()));
    }
    client.pipe(gate()).pipe(upstream).pipe(gate()).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    stall: () => void (passing = Promise.withResolvers()),
    resume: () => passing.resolve(),
    async close() {
      passing.resolve();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
