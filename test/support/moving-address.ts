/** An address that leads to one server at a time, as the DNS name or the virtual address of a database service does. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface MovingAddress {
  port: number;
  /** Closes the connections and sends further ones to another port of this machine. */
  switchTo(port: number): void;
  close(): Promise<void>;
}

/** @param first the port that the address leads to at first */
export async function startMovingAddress(first: number): Promise<MovingAddress> {
  let target = first;
  const open = new Set<Socket>();
  const closeAll = () => open.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const both = [client, upstream];
    for (const socket of both) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => both.forEach((one) => open.delete(one) && one.destroy()));
    }
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    switchTo(port) {
      target = port;
      closeAll();
    },
    async close() {
      closeAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
