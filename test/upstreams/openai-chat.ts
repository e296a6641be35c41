/** A server that speaks OpenAI's chat completions (POST /v1/chat/completions, not streamed) and fails on demand. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { completionOf, type Completion, type Chat, refuse, type Refusal } from './openai-wire.ts';

export interface Request {
  headers: IncomingHttpHeaders;
  body: Chat;
}

/** The reaction of the server to one request. */
export type Reply =
  | ({ kind: 'completion' } & Completion)
  /** A completion that begins when the promise has resolved. */
  | ({ kind: 'late'; after: Promise<void> } & Completion)
  | ({ kind: 'refusal' } & Refusal)
  /** Any status, type and bytes. */
  | { kind: 'raw'; status: number; contentType: string; body: string; headers?: Record<string, string> }
  /** All headers and half of the body, then the connection ends. */
  | ({ kind: 'cut' } & Completion)
  /** The connection is reset before a response. */
  | { kind: 'reset' }
  /** No response until the client hangs up, or half of one. */
  | { kind: 'silence'; after?: 'headers' };

export const completion = (content: string | null, rest: Omit<Completion, 'content'> = {}): Reply => ({
  kind: 'completion',
  content,
  ...rest,
});

export const refusal = (status: number, error: Refusal['error'], headers: Record<string, string> = {}): Reply => ({
  kind: 'refusal',
  status,
  error,
  headers,
});

export interface OpenAiChat {
  /** The value for `baseUrl`. */
  url: string;
  requests: Request[];
  /** Sets the replies to the next requests, in order. The last reply is repeated. */
  reply(...replies: Reply[]): void;
  /** Sets the reply to every request whose messages contain these words. It takes precedence over `reply`. */
  replyTo(words: string, reply: Reply): void;
  /** Resolves when a client has hung up on a request. */
  hungUp(): Promise<void>;
  close(): Promise<void>;
}

export interface OpenAiChatOptions {
  /** If omitted, requests need no key. */
  apiKey?: string;
  model?: string;
  /** An older server refuses `response_format` of the type `json_schema`. */
  knowsJsonSchema?: boolean;
}

export async function startOpenAiChat(options: OpenAiChatOptions = {}): Promise<OpenAiChat> {
  const requests: Request[] = [];
  const gone = Promise.withResolvers<void>();
  let replies: Reply[] = [completion('Hello!')];
  const repliesTo = new Map<string, Reply>();
  const server = createServer((request, response) => {
    response.on('close', () => void (response.writableFinished || gone.resolve()));
    void read(request).then((text) => {
      const { body, problem } = refuse(request, text, options);
      if (body) requests.push({ headers: request.headers, body });
      if (problem || !body) return act(problem ?? { kind: 'reset' }, body, response);
      const said = JSON.stringify(body.messages);
      const addressed = [...repliesTo].find(([words]) => said.includes(words))?.[1];
      const next = addressed ?? (replies.length > 1 ? replies.shift() : replies[0]);
      act(next ?? { kind: 'reset' }, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    reply: (...next) => void (replies = next),
    replyTo: (words, reply) => void repliesTo.set(words, reply),
    hungUp: () => gone.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function act(reply: Reply, body: Chat | null, response: ServerResponse): void {
  const send = (status: number, contentType: string, text: string, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'content-type': contentType, 'x-request-id': `req_${status}`, ...headers }).end(text);
  switch (reply.kind) {
    case 'completion':
      return void send(200, 'application/json', JSON.stringify(completionOf(reply, body)));
    case 'late':
      return void reply.after.then(() => act({ ...reply, kind: 'completion' }, body, response));
    case 'refusal':
      return void send(reply.status, 'application/json', JSON.stringify({ error: reply.error }), reply.headers);
    case 'raw':
      return void send(reply.status, reply.contentType, reply.body, reply.headers);
    case 'reset':
      return void response.socket?.resetAndDestroy();
    case 'silence':
      if (reply.after === 'headers') response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":');
      return;
    case 'cut': {
      const text = JSON.stringify(completionOf(reply, body));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
      return void response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
    }
  }
}
