/** The scenarios of recorded histories: each runs a workflow up to the point at which its history is recorded. */
import type { Client } from '@temporalio/client';
import { newId } from '../../store/ids.ts';
import { call, create, ended } from '../../test/support/client.ts';
import { dataUri, photo } from '../../engines/local/test/photos.ts';
import type { Receiver } from '../../test/support/receiver.ts';
import type { Stack } from '../../test/support/stack.ts';
import type { FakeFailure, UpstreamFake } from '../../test/upstreams/upstream-fake.ts';

interface Stage {
  stack: Stack;
  receiver: Receiver;
  temporal: Client;
  /** The engines of `hamilton`, in order. */
  providers: UpstreamFake[];
}

/** @returns the workflow's id */
type Scenario = (stage: Stage) => Promise<string>;

const small = { prompt: 'a boat on a lake', width: 256, height: 256 };
const quick: NodeJS.ProcessEnv = { ATELIER_WEBHOOK_SCHEDULE: '0s,200ms,300ms' };
const brief: NodeJS.ProcessEnv = { ATELIER_RETENTION: '4s', ATELIER_WEBHOOK_SCHEDULE: '0s,1s' };
const briefest: NodeJS.ProcessEnv = { ATELIER_RETENTION: '1s', ATELIER_WEBHOOK_SCHEDULE: '0s' };

/** Creates an artwork through an API with these settings, and waits until it has ended and been delivered. */
const made =
  (body: object, { hook = '/once', deliveries = 1, env = quick } = {}): Scenario =>
  async ({ stack, receiver }) => {
    const api = await stack.startApi(0, env);
    const { id } = await create(stack, { ...small, ...body, webhookUrl: receiver.url + hook });
    await ended(stack, id);
    await receiver.until(id, deliveries);
    await api.stop();
    // The workflow sees the receiver's response after the receiver has sent it.
    await new Promise((resolve) => setTimeout(resolve, 500));
    return id;
  };

/** Waits until the artwork of the scenario is purged. */
const purged =
  (first: Scenario): Scenario =>
  async (stage) => {
    const id = await first(stage);
    await stage.temporal.workflow.getHandle(id).result();
    return id;
  };

/** Creates an artwork while the providers fail; null for a provider that works. */
function providersDown(...failures: (FakeFailure | null)[]): Scenario {
  return async ({ stack, providers }) => {
    const api = await stack.startApi(0, quick);
    for (const [index, failure] of failures.entries()) providers[index]?.fail(failure);
    const { id } = await create(stack, small, 'hamilton');
    // Long enough for the quick attempts at each engine.
    const back = setTimeout(() => providers.forEach((provider) => provider.fail(null)), 12_000);
    await ended(stack, id, 60_000);
    clearTimeout(back);
    providers.forEach((provider) => provider.fail(null));
    await api.stop();
    return id;
  };
}

const send = ({ stack }: Stage, id: string, method: string, path = '') =>
  call(`${stack.baseUrl}/v2/artworks/${id}${path}`, { method, key: stack.adminKey });

/** Acts on an artwork while a provider works on it. */
const whileWorking =
  (act: (stage: Stage, id: string) => Promise<unknown>): Scenario =>
  async (stage) => {
    const { stack, receiver, providers } = stage;
    const api = await stack.startApi(0, quick);
    const [first] = providers;
    const before = first?.counts.reads ?? 0;
    first?.hold();
    const { id } = await create(stack, { ...small, webhookUrl: `${receiver.url}/once` }, 'hamilton');
    while ((first?.counts.reads ?? 0) === before) await new Promise((resolve) => setTimeout(resolve, 50));
    await act(stage, id);
    first?.release();
    await api.stop();
    return id;
  };

/** Redelivers an event that waits for hours, and redelivers it again after it was received. */
async function redelivered(stage: Stage): Promise<string> {
  const { stack, receiver } = stage;
  const api = await stack.startApi(0, { ATELIER_WEBHOOK_SCHEDULE: '0s,5h,10h' });
  const { id } = await create(stack, { ...small, webhookUrl: `${receiver.url}/again` });
  for (const deliveries of [1, 2, 3]) {
    await receiver.until(id, deliveries);
    // The workflow sees the receiver's response after the receiver has sent it.
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (deliveries < 3) await send(stage, id, 'POST', '/redeliver');
  }
  await api.stop();
  return id;
}

async function textcraft({ stack }: Stage): Promise<string> {
  const api = await stack.startApi();
  const body = { task: 'summarize', prompt: 'The harbour sleeps. A boat comes home. The lamp is lit.' };
  const response = await call(`${stack.baseUrl}/v2/textcraft`, { method: 'POST', key: stack.adminKey, body });
  await api.stop();
  return String(response.body['id']);
}

export const scenarios: Record<string, Scenario> = {
  success: made({}),
  failure: made({ prompt: 'hardcore porn' }),
  seer: made({ promptMode: 'seer' }),
  'several-images': made({ numImages: 4 }),
  'delivered-again': made({}, { hook: '/again', deliveries: 2 }),
  'waiting-to-deliver': made({}, { hook: '/again', env: {} }),
  purged: purged(made({ numImages: 2 }, { env: brief })),
  'purged-while-waiting-to-deliver': purged(made({}, { hook: '/later', env: brief })),

  async 'purged-while-drawing'({ stack, temporal }) {
    const api = await stack.startApi(0, briefest);
    const { id } = await create(stack, { ...small, width: 2048, height: 2048, numImages: 4 });
    await temporal.workflow.getHandle(id).result();
    await api.stop();
    return id;
  },

  async 'with-input'({ stack }) {
    const api = await stack.startApi(0, quick);
    const image = dataUri(await photo('chelsea'));
    const { id } = await create(stack, { image }, 'depth-map');
    await ended(stack, id);
    await api.stop();
    return id;
  },

  async 'uploaded-file'({ stack, temporal }) {
    const api = await stack.startApi(0, briefest);
    const headers = { authorization: `Bearer ${stack.adminKey}`, 'content-type': 'image/jpeg' };
    const body = new Uint8Array(await photo('chelsea'));
    const response = await fetch(`${stack.baseUrl}/v2/files`, { method: 'POST', headers, body });
    const { id } = (await response.json()) as { id: string };
    await temporal.workflow.getHandle(id).result();
    await api.stop();
    return id;
  },

  'next-engine': providersDown('unavailable', null),
  'waited-for-engines': providersDown('unavailable', 'unavailable'),
  'engine-refused': providersDown('moderation', null),

  canceled: whileWorking(async (stage, id) => {
    await send(stage, id, 'POST', '/cancel');
    await stage.receiver.until(id);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }),
  deleted: whileWorking(async (stage, id) => {
    await send(stage, id, 'DELETE');
    await stage.temporal.workflow.getHandle(id).result();
  }),
  redelivered,
  async 'deleted-while-waiting-to-deliver'(stage) {
    const id = await made({}, { hook: '/again', env: {} })(stage);
    const api = await stage.stack.startApi();
    await send(stage, id, 'DELETE');
    await stage.temporal.workflow.getHandle(id).result();
    await api.stop();
    return id;
  },

  answer: async (stage) => {
    const id = await textcraft(stage);
    await stage.temporal.workflow.getHandle(id).result();
    return id;
  },

  'answer-kept': textcraft,

  'answer-canceled': async (stage) => {
    const id = await textcraft(stage);
    const handle = stage.temporal.workflow.getHandle(id);
    await handle.cancel();
    await handle.result();
    return id;
  },

  async 'never-stored-claim-ended'({ stack, temporal }) {
    const id = newId('art');
    const names = { id, orgId: stack.orgId, keyId: 'key_nobody', operation: 'selena' };
    const input = { ...names, expiresAt: Date.now() + 8000, schedule: [0] };
    await temporal.workflow.execute('artwork', { workflowId: id, taskQueue: stack.taskQueue, args: [input] });
    return id;
  },
};
