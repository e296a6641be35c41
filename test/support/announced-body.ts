/** Announces the body of a request without sending it, and reads the response to its headers. */
import { connect, type Socket } from 'node:net';

export interface Announced {
  /** 100 when the client may send the body. */
  status: number;
  /** The status line, the headers and the body of the response, as far as they have arrived. */
  response: string;
  socket: Socket;
}

/**
 * Sends the headers of a request, with `Expect: 100-continue`, and waits for the response.
 * @param head the request line and the headers, without Host and Expect
 */
export async function announceBody(baseUrl: string, head: readonly string[]): Promise<Announced> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  socket.on('error', () => undefined);
  socket.write(`${[...head, 'Host: a', 'Expect: 100-continue'].join('\r\n')}\r\n\r\n`);
  const response = await new Promise<string>((resolve) => {
    let received = '';
    socket.on('data', (data: string) => {
      received += data;
      if (isComplete(received)) resolve(received);
    });
    socket.once('close', () => resolve(received));
  });
  return { status: Number(response.split(' ')[1]), response, socket };
}

/** Returns whether text contains a whole response, whose body is as long as its headers say. */
function isComplete(text: string): boolean {
  const [head = '', body] = text.split('\r\n\r\n');
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return body !== undefined && body.length >= length;
}
