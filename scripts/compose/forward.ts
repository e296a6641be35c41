/** Forwards connections from an address that containers reach to a server on loopback. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { KeyPair } from '../local/certificate.ts';

export interface Forwarder {
  port: number;
  close(): void;
}

/** @param target the port on loopback @param tls the certificate with which it terminates TLS, for a server without TLS */
export async function forward(address: string, target: number, tls?: KeyPair): Promise<Forwarder> {
  const open = new Set<Socket>();
  const serve = (client: Socket) => {
    const server = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => open.delete(one));
    }
  };
  const listener = tls === undefined ? createServer(serve) : createTlsServer(tls, serve);
  listener.on('tlsClientError', () => undefined);
  listener.listen(0, address);
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    close() {
      listener.close();
      for (const socket of open) socket.destroy();
    },
  };
}
