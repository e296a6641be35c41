/** ComfyUI jobs: a call runs one job, all outputs are returned, and only our own jobs are canceled. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '../../../support/eventually.ts';
import { startComfyui } from '../../../upstreams/comfyui.ts';
import type { Workflow } from '../../../upstreams/comfyui-graph.ts';
import { bench, connect, failure, images, generousTimeout, request, run } from './bench.ts';

const at = bench();

interface Submitted {
  prompt: Workflow;
  prompt_id: string;
}

const submitted = () => at.fake.requests.filter(({ path }) => path === '/prompt').map(({ body }) => body as Submitted);

describe('a repeated submission', () => {
  test.each(['pending', 'running', 'done'])('finds its job when it is %s', async (state) => {
    if (state !== 'done') at.fake.hold();
    if (state === 'pending') await at.provider.submit(request({ idempotencyKey: 'another' }), generousTimeout());
    const id = await at.provider.submit(request(), generousTimeout());
    if (state === 'done') await images(at.provider, id);
    const before = at.fake.counts.submissions;
    expect(await at.provider.submit(request(), generousTimeout())).toBe(id);
    expect(at.fake.counts.submissions).toBe(before);
    at.fake.release();
    expect(await images(at.provider, id)).toHaveLength(1);
  });

  test('finds a job whose response was lost', async () => {
    at.fake.fail('cut', { at: 'submit', times: 1 });
    await expect(at.provider.submit(request(), generousTimeout())).rejects.toThrow();
    expect(await run(at.provider, request())).toHaveLength(1);
    expect(at.fake.counts.submissions).toBe(1);
  });

  test.each(['failed-job', 'out-of-memory', 'lost-job'] as const)('runs again after a %s', async (failure) => {
    at.fake.fail(failure, { times: 1 });
    await expect(run(at.provider, request())).rejects.toThrow();
    expect(await run(at.provider, request())).toHaveLength(1);
    expect(at.fake.counts.submissions).toBe(2);
  });

  test('deletes a job that ran out of memory from the history, which has its prompt', async () => {
    at.fake.fail('out-of-memory', { times: 1 });
    const id = await at.provider.submit(request(), generousTimeout());
    expect((await failure(at.provider, images(at.provider, id))).message).toBe('comfyui ran out of memory');
    expect((await failure(at.provider, images(at.provider, id))).message).toContain('no longer has the job');
  });

  test('runs again when its files were deleted, and makes new ones', async () => {
    const id = await at.provider.submit(request(), generousTimeout());
    const [first] = await images(at.provider, id);
    at.fake.deleteOutputs();
    const lost = await failure(at.provider, images(at.provider, id));
    expect([lost.code, lost.message]).toEqual(['provider_unavailable', 'comfyui no longer has the job or its result']);
    expect(await run(at.provider, request())).toEqual([first]);
    expect(at.fake.counts.submissions).toBe(2);
  });

  test('runs again on a ComfyUI that chooses ids itself, and returns the new id', async () => {
    const old = await startComfyui({ version: '0.3.44' });
    const provider = connect(old.url, undefined);
    const [first, second] = [
      await provider.submit(request(), generousTimeout()),
      await provider.submit(request(), generousTimeout()),
    ];
    expect(second).not.toBe(first);
    expect(await images(provider, second)).toHaveLength(1);
    await provider.close();
    await old.close();
  });
});

describe.each(['always', 'with client id'] as const)(
  'a ComfyUI that lists the files of known nodes %s',
  (listsCached) => {
    test('saves the image of each of two equal jobs', async () => {
      const fake = await startComfyui({ listsCached });
      const provider = connect(fake.url, undefined);
      const first = await run(provider, request({ idempotencyKey: 'first' }));
      fake.deleteOutputs();
      expect(await run(provider, request({ idempotencyKey: 'second' }))).toEqual(first);
      expect(first).toHaveLength(1);
      await provider.close();
      await fake.close();
    });
  },
);

test('a job has a client id', async () => {
  const id = await at.provider.submit(request(), generousTimeout());
  expect(submitted()).toEqual([expect.objectContaining({ prompt_id: id, client_id: id })]);
});

test('a job that ends during a poll is not reported as lost', async () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const item = [1, id, {}, {}, []];
  let polls = 0;
  const server = createServer(({ url }, response) => {
    const hasEnded = polls++ > 0;
    const queue = { queue_running: hasEnded ? [] : [item], queue_pending: [] };
    const history = hasEnded ? { [id]: { prompt: item, outputs: {}, status: { status_str: 'success' } } } : {};
    response.end(JSON.stringify(url === '/queue' ? queue : history));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, undefined);
  expect(await images(provider, id)).toEqual([]);
  await provider.close();
  server.close();
});

describe('outputs', () => {
  const outputs = async (nodes: Workflow) => {
    await run(at.provider, request());
    const id = '00000000-0000-4000-8000-000000000000';
    const [{ prompt } = {} as Submitted] = submitted();
    const body = JSON.stringify({ prompt: { ...prompt, ...nodes }, prompt_id: id });
    await fetch(`${at.fake.url}/prompt`, { method: 'POST', body });
    return images(at.provider, id);
  };

  test('are the images of all output nodes', async () => {
    const inputs = { images: ['6', 0], filename_prefix: 'more/of/it' };
    expect(await outputs({ '8': { class_type: 'SaveImage', inputs } })).toHaveLength(2);
  });

  test('exclude previews', async () => {
    expect(await outputs({ '8': { class_type: 'PreviewImage', inputs: { images: ['6', 0] } } })).toHaveLength(1);
  });
});

test('a workflow of which only a part is valid is canceled', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-half-'));
  const whole = JSON.parse(await readFile(request().model, 'utf8')) as Workflow;
  const wrong = { class_type: 'SaveImage', inputs: { images: ['5', 0], filename_prefix: 'a latent' } };
  await writeFile(join(folder, 'half.json'), JSON.stringify({ ...whole, 8: wrong }));
  at.fake.hold();
  const error = await failure(at.provider, run(at.provider, request({ model: join(folder, 'half.json') })));
  expect([error.code, error.message]).toEqual(['provider_rejected', 'comfyui rejected the request as invalid']);
  at.fake.release();
  const [{ prompt_id: id } = {} as Submitted] = submitted();
  await eventually(async () => {
    await expect(at.provider.poll('', id, generousTimeout())).rejects.toThrow('canceled');
  });
  await rm(folder, { recursive: true });
});

describe('cancel', () => {
  const state = async (provider: typeof at.provider, id: string) =>
    provider.poll('', id, generousTimeout()).then((job) => job.state);

  test('removes a waiting job from the queue', async () => {
    at.fake.hold();
    const running = await at.provider.submit(request({ idempotencyKey: 'running' }), generousTimeout());
    const waiting = await at.provider.submit(request(), generousTimeout());
    await at.provider.cancel('', waiting, generousTimeout());
    await expect(at.provider.poll('', waiting, generousTimeout())).rejects.toThrow('lost');
    expect(await state(at.provider, running)).toBe('waiting');
    expect(at.fake.requests.some(({ path }) => path === '/interrupt')).toBe(false);
  });

  test('interrupts a running job by its id', async () => {
    at.fake.hold();
    const id = await at.provider.submit(request(), generousTimeout());
    const next = await at.provider.submit(request({ idempotencyKey: 'next' }), generousTimeout());
    await at.provider.cancel('', id, generousTimeout());
    await eventually(async () => {
      await expect(at.provider.poll('', id, generousTimeout())).rejects.toThrow('canceled');
    });
    expect(at.fake.requests.find(({ path }) => path === '/interrupt')?.body).toEqual({ prompt_id: id });
    expect(await state(at.provider, next)).toBe('waiting');
  });

  test('sends no interrupt to a version that would end whichever job is running', async () => {
    const old = await startComfyui({ version: '0.3.56' });
    const provider = connect(old.url, undefined);
    old.hold();
    const id = await provider.submit(request(), generousTimeout());
    await provider.cancel('', id, generousTimeout());
    expect(old.requests.some(({ path }) => path === '/interrupt')).toBe(false);
    expect(await state(provider, id)).toBe('waiting');
    await provider.close();
    await old.close();
  });

  test('succeeds for an ended or unknown job', async () => {
    const id = await at.provider.submit(request(), generousTimeout());
    await images(at.provider, id);
    await at.provider.cancel('', id, generousTimeout());
    await at.provider.cancel('', 'unknown', generousTimeout());
    expect(await images(at.provider, id)).toHaveLength(1);
  });
});

test('deletes a job from the history, once it no longer runs', async () => {
  at.fake.hold();
  const id = await at.provider.submit(request(), generousTimeout());
  const early = await failure(at.provider, at.provider.deleteCopies!(id, generousTimeout()));
  expect(early.message).toBe('comfyui was not ready');
  at.fake.release();
  await images(at.provider, id);
  await at.provider.deleteCopies!(id, generousTimeout());
  expect(at.fake.requests.at(-1)).toMatchObject({ path: '/history', body: { delete: [id] } });
  await expect(at.provider.poll('', id, generousTimeout())).rejects.toThrow('lost');
});
