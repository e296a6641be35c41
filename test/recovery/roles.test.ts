/** Worker processes of one role each run the service together, and none takes the tasks of another role. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { WorkerRole } from '../../runtime/worker-roles.ts';
import { create, ended } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { drawn } from '../support/pictures.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;
let receiver: Receiver;
const roleOf = new Map<number, WorkerRole>();

beforeAll(async () => {
  receiver = await startReceiver((response, nth) => response.writeHead(nth === 1 ? 500 : 204).end());
  stack = await startSharedStack({
    workers: 0,
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_WEBHOOK_SCHEDULE: '0s,1s' },
  });
  const start = async (role: WorkerRole) => {
    const { pid } = await stack.startWorker({ ATELIER_WORKER_ROLES: role });
    roleOf.set(pid, role);
  };
  await Promise.all([start('workflows'), start('deliveries'), start('providers'), start('embedded')]);
});
afterAll(async () => {
  await stack?.stop();
  await receiver?.close();
});

interface Line {
  pid: number;
  artworkId?: string;
  step?: string;
}

test('each role takes its own steps of an artwork with an input image and two deliveries', async () => {
  const image = `data:image/png;base64,${(await drawn(64, 64).png().toBuffer()).toString('base64')}`;
  const { id } = await create(stack, { image, scale: 2, webhookUrl: receiver.url }, 'upscaling');
  expect((await ended(stack, id)).status).toBe('SUCCEEDED');
  await receiver.until(id, 2);

  await eventually(() =>
    expect(stepsOf(id)).toEqual([
      'workflows: begin',
      'providers: perform',
      'embedded: perform',
      'workflows: finish',
      'deliveries: deliverSlowly',
      'deliveries: deliverSlowly',
    ]),
  );
});

/** Returns the steps of an artwork in the order of their ends, each with the role of the process that ran it. */
function stepsOf(id: string): string[] {
  const log = readFileSync(join(stack.dataFolder, 'test-support-instant-worker-ts.log'), 'utf8');
  return log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ artworkId, step }) => artworkId === id && step !== undefined)
    .map(({ pid, step }) => `${roleOf.get(pid)}: ${step}`);
}
