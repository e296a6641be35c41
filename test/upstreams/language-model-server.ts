/** The program behind `startLanguageModel`: a model that speaks OpenAI's chat completions. Ends when its parent does. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ContextExceeded, loadModel } from './language-model-llama.ts';
import { completionOf, refuse, type Refusal } from './openai-wire.ts';

const [weights = '', port = '0'] = process.argv.slice(2);
process.once('disconnect', () => process.exit());

const model = await loadModel(weights);
const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
server.listen(Number(port), '127.0.0.1', () =>
  process.send?.({ port: (server.address() as AddressInfo).port, model: model.name }),
);

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const disconnected = new AbortController();
  response.once('close', () => disconnected.abort());
  const { status, body } = await respond(request, disconnected.signal);
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function respond(request: IncomingMessage, signal: AbortSignal): Promise<{ status: number; body: object }> {
  if (request.method === 'GET' && request.url === '/v1/models') return { status: 200, body: listing() };
  const { body: chat, problem } = refuse(request, await text(request), { model: model.name });
  if (problem?.kind === 'refusal') return refused(problem);
  if (!chat) return refused(failed(500, 'The server had an error.', null));
  if (chat.stream) return refused(failed(400, "Unsupported value: 'stream' must be false.", 'unsupported_value'));
  try {
    const written = await model.complete(chat, signal);
    const named = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model: model.name };
    return { status: 200, body: { ...completionOf(written, chat), ...named } };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ContextExceeded) {
      return refused(failed(400, 'The messages are longer than the context of the model.', 'context_length_exceeded'));
    }
    console.error(error);
    return refused(failed(500, 'The server had an error.', null));
  }
}

const listing = () => ({
  object: 'list',
  data: [{ id: model.name, object: 'model', created: 0, owned_by: 'atelier' }],
});

const refused = ({ status, error }: Refusal) => ({ status, body: { error } });

const failed = (status: number, message: string, code: string | null): Refusal => ({
  status,
  error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', param: null, code },
});
