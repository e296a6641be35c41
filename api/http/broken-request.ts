/** Responds to requests that Node cannot parse, with the same body as every other error. Node would send a status line only. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errors } from '../../schemas/errors.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FieldError } from '../../services/problem.ts';
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
  const responses = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response) => responses.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Bytes after the first fault cause more errors.
    if (socket.writableEnded) return;
    const response = responses.get(socket);
    const isResponding = response?.headersSent === true && !response.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isResponding) return void socket.destroy();
    const { status, ...failure } = faults[error.code ?? ''] ?? malformed;
    const requestId = newId('req');
    const decision = 'validation_failed';
    log.info({ requestId, status, address: socket.remoteAddress, decision }, 'Could not parse a request');
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
