/** Responds to requests that Node cannot parse, with the same body as every other error. Node would send a status line only. */
import type { Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errors } from '../../schemas/errors.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FieldError } from '../../services/problem.ts';
import { unfinishedOn } from './limit-pipelining.ts';
import { plainSecurityHeaders } from './security-headers.ts';

/** Milliseconds that a client has to read the response and stop sending before its connection is closed. */
const timeout = 2000;

interface Fault {
  status: number;
  rule: string;
  message: string;
}

/** Faults by the error code of Node's parser. */
const faults: Partial<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: { status: 431, rule: 'headers', message: 'has more than 16 KB of headers' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, rule: 'timeout', message: 'was not sent in time' },
};
const malformed: Fault = { status: 400, rule: 'http', message: 'is not valid HTTP' };

export function respondToBrokenRequests(server: Server, { newId, log }: Pick<Dependencies, 'newId' | 'log'>): void {
  const closing = new WeakSet<Socket>();
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Bytes after the first fault cause more errors.
    if (socket.writableEnded || closing.has(socket)) return;
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const responses = unfinishedOn(socket);
    const [first] = responses;
    if (first?.headersSent) return void socket.destroy();
    const isInBody = responses.size === 1 && first?.req.complete === false;
    if (first && !isInBody) {
      // The fault is in a later request, so an error would be taken for the response to an earlier one.
      closing.add(socket);
      for (const response of responses) response.once('close', () => responses.size === 0 && socket.end());
      return;
    }
    const { status, ...failure } = faults[error.code ?? ''] ?? malformed;
    const requestId = newId('req');
    const decision = 'validation_failed';
    // A connection that has sent nothing, such as one that a browser opens in advance, is no request.
    if (socket.bytesRead > 0) {
      log.info({ requestId, status, address: socket.remoteAddress, decision }, 'Could not parse a request');
    }
    socket.end(format(status, requestId, { path: '', ...failure }));
    const timer = setTimeout(() => socket.destroy(), timeout);
    socket.once('close', () => clearTimeout(timer));
  });
}

function format(status: number, requestId: string, failure: FieldError): string {
  const { message } = errors.validation_failed;
  const body = JSON.stringify({ status, message, code: 'validation_failed', requestId, errors: [failure] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...plainSecurityHeaders,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
