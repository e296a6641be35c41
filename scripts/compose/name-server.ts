/** A name server that knows no name. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  close(): void;
}

/** Responds to every question that it has no record. @param address a loopback address */
export async function startNameServer(address: string): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (question, from) => {
    let end = 12;
    for (let length = question[end]; length; length = question[end]) end += length + 1;
    // The name ends with a zero byte; its type and its class follow.
    const response = Buffer.from(question.subarray(0, end + 5));
    response.writeUInt16BE(0x8180, 2);
    response.fill(0, 6, 12);
    socket.send(response, from.port, from.address);
  });
  socket.bind(53, address);
  await once(socket, 'listening');
  return { close: () => socket.close() };
}
