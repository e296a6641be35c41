/** Measures what a synchronous request adds to the time of its language model, with a model that takes almost no time. */
import { request } from 'undici';
import { type Backends, serversOf } from './backends.ts';
import { startStack } from '../test/support/stack.ts';
import { completion, startOpenAiChat } from '../test/upstreams/openai-chat.ts';
import { printTimes } from './figures.ts';

const warmUp = 50;
const count = 200;
const clients = 20;

export async function benchSynchronousRequests(backends: Backends): Promise<void> {
  const upstream = await startOpenAiChat();
  upstream.reply(completion('Hello, harbour!'));
  const stack = await startStack({
    ...serversOf(backends),
    env: { ATELIER_LOG_LEVEL: 'warn', ATELIER_LANGUAGE_URL: upstream.url, ATELIER_LANGUAGE_MODEL: 'instant' },
  });
  const body = JSON.stringify({ task: 'freeform', prompt: 'Say hello to the harbour.' });
  const own = async () => {
    const messages = [{ role: 'user', content: 'Say hello to the harbour.' }];
    const began = performance.now();
    const headers = { 'content-type': 'application/json' };
    const direct = await request(`${upstream.url}/chat/completions`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ model: 'instant', messages }),
    });
    await direct.body.dump();
    return performance.now() - began;
  };
  const through = async () => {
    const began = performance.now();
    const headers = { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'application/json' };
    const response = await request(`${stack.baseUrl}/v2/textcraft`, { method: 'POST', headers, body });
    if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${await response.body.text()}`);
    await response.body.dump();
    return performance.now() - began;
  };
  const take = async (one: () => Promise<number>, times: number) => {
    const taken: number[] = [];
    while (taken.length < times) taken.push(await one());
    return taken;
  };
  try {
    await take(through, warmUp);
    const busy = await Promise.all(Array.from({ length: clients }, () => take(through, count / clients)));
    printTimes({
      'the model by itself': await take(own, count),
      'POST /v2/textcraft, at rest': await take(through, count),
      [`POST /v2/textcraft, ${clients} at once`]: busy.flat(),
    });
  } finally {
    await stack.stop();
    await upstream.close();
  }
}
