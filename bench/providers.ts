/** Measures what the service adds to a call, in comparison with the provider's own client. */
import { createFalClient } from '@fal-ai/client';
import pg from 'pg';
import { request } from 'undici';
import { type Backends, serversOf } from './backends.ts';
import { create, ended } from '../test/support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../test/support/engines.ts';
import { type Stack, startStack } from '../test/support/stack.ts';
import { startFal } from '../test/upstreams/fal.ts';
import { startOpenAiImages } from '../test/upstreams/openai-images.ts';
import { printFigures, printTimes, summarize } from './figures.ts';

const warmUp = 10;
const count = 100;
const size = 512;

export async function benchProviders(backends: Backends): Promise<void> {
  const [fal, openai] = await Promise.all([startFal({ apiKey }), startOpenAiImages({ apiKey })]);
  const direct = {
    engine: 'openai',
    model: 'gpt-image-2.5-flare',
    input: { prompt: { from: 'prompt' }, size: '512x512' },
  };
  const env = enginesEnv(backends.folder, {
    engines: { fal: at('fal', fal), openai: at('openai', openai) },
    models: { selena: [flux], quantum: [direct] },
  });
  const stack = await startStack({
    ...serversOf(backends),
    env: { ATELIER_LOG_LEVEL: 'warn', ...env },
  });
  try {
    const own = { fal: await times(() => callFal(fal.url)), openai: await times(() => callOpenAi(openai.url)) };
    const through = { fal: await calls(stack, 'selena'), openai: await calls(stack, 'quantum') };
    const window = await windows(stack, fal.submittedAt.slice(-through.fal.length));
    printTimes({
      'fal, by its own client': own.fal,
      'fal, as a call': through.fal,
      'openai, by itself': own.openai,
      'openai, as a call': through.openai,
      'fal’s job submitted → id stored': window,
    });
    const added = (name: 'fal' | 'openai') => (summarize(through[name]).p50 - summarize(own[name]).p50).toFixed(1);
    printFigures({
      'added to a call of fal': `${added('fal')} ms p50`,
      'added to a call of openai': `${added('openai')} ms p50`,
    });
  } finally {
    await stack.stop();
    await Promise.all([fal.close(), openai.close()]);
  }
}

/** Measures the window in which a crash leads to a second submission: from the job's arrival at the provider until its id is stored. */
async function windows(stack: Stack, arrived: readonly number[]): Promise<number[]> {
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ at: Date }>(
    `select submitted_at as at from job where engine = 'fal' order by submitted_at`,
  );
  await client.end();
  return rows.slice(-arrived.length).map(({ at: kept }, index) => kept.getTime() - (arrived[index] ?? 0));
}

async function times(one: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < warmUp + count; index++) {
    const began = performance.now();
    await one();
    if (index >= warmUp) taken.push(performance.now() - began);
  }
  return taken;
}

/** Submits a job, polls it, and downloads the result and its image. */
async function callFal(url: string): Promise<void> {
  const client = createFalClient({
    credentials: apiKey,
    fetch: (input, init) => {
      const requested = input instanceof Request ? input.url : input.toString();
      return fetch(requested.replace(/^https:\/\/queue\.fal\.run/, url), init);
    },
  });
  const model = 'fal-ai/flux/dev';
  const input = { prompt: 'a boat', image_size: { width: size, height: size } };
  const { request_id: requestId } = await client.queue.submit(model, { input });
  await client.queue.status(model, { requestId });
  const { data } = (await client.queue.result(model, { requestId })) as { data: { images: { url: string }[] } };
  const image = await request(data.images[0]?.url ?? '');
  await image.body.arrayBuffer();
}

async function callOpenAi(url: string): Promise<void> {
  const response = await request(`${url}/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-image-2.5-flare', prompt: 'a boat', size: '512x512', n: 1 }),
  });
  await response.body.json();
}

/** Returns the milliseconds from the start of each call's activity until its result was stored, as the worker recorded them. */
async function calls(stack: Stack, operation: string): Promise<number[]> {
  const ids: string[] = [];
  // `nsfw` skips the content check of the images.
  const body = { prompt: 'a boat', width: size, height: size, nsfw: true };
  for (let index = 0; index < warmUp + count; index++) {
    const { id } = await create(stack, body, operation);
    const artwork = await ended(stack, id);
    if (artwork.status !== 'SUCCEEDED') throw new Error(`${operation} failed with ${artwork.errorCode}`);
    if (index >= warmUp) ids.push(id);
  }
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  const { rows } = await client.query<{ took: string }>(
    `select extract(epoch from finished_at - started_at) * 1000 as took from call_result where artwork_id = any($1)`,
    [ids],
  );
  await client.end();
  return rows.map(({ took }) => Number(took));
}
