/** Answers what Node cannot read as HTTP in the shape of every other error: it would send a bare status line. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errors } from '../../schemas/errors.ts';
import type { Dependencies } from '../dependencies.ts';
import type { FieldError } from '../../services/problem.ts';

/** Milliseconds in which a client can read the answer, and stop sending, before the connection is closed on it. */
const patience = 2000;

interface Broken {
  status: number;
  rule: string;
  message: string;
}

const broken: Partial<Record<string, Broken>> = {
  HPE_HEADER_OVERFLOW: { status: 431, rule: 'headers', message: 'has more than 16 KB of headers' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, rule: 'timeout', message: 'was not sent in time' },
};
const malformed: Broken = { status: 400, rule: 'http', message: 'is not valid HTTP' };

export function answerBrokenRequests(server: Server, { newId, log }: Pick<Dependencies, 'newId' | 'log'>): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response) => answers.set(socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // What comes behind the first fault is one as well.
    if (socket.writableEnded) return;
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering) return void socket.destroy();
    const { status, ...failure } = broken[error.code ?? ''] ?? malformed;
    const requestId = newId('req');
    log.info({ requestId, status }, 'a request could not be read');
    socket.end(write(status, requestId, { path: '', ...failure }));
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.once('close', () => clearTimeout(timer));
  });
}

function write(status: number, requestId: string, failure: FieldError): string {
  const { message } = errors.validation_failed;
  const body = JSON.stringify({ status, message, code: 'validation_failed', requestId, errors: [failure] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}
