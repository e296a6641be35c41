/** Checks that no accepted artwork was lost: its event, images, records and workflow. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { Connection } from '@temporalio/client';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { ended } from './client.ts';
import type { Receiver } from './receiver.ts';
import type { Stack } from './stack.ts';
import { openTemporal } from './temporal.ts';

interface Expected {
  /** Number of images of each artwork. */
  images?: number;
  /** Maximum deliveries of one event; more than one where the receiver's response may have been lost. */
  deliveries?: number;
}

/** Expects that every artwork has succeeded and has one event and its images, and that its workflow sleeps. */
export async function expectNothingLost(
  stack: Stack,
  receiver: Receiver,
  ids: readonly string[],
  { images = 1, deliveries = 1 }: Expected = {},
): Promise<void> {
  for (const id of ids) {
    const artwork = await ended(stack, id);
    expect({ id, status: artwork.status }).toEqual({ id, status: 'SUCCEEDED' });
    const received = await receiver.until(id);
    expect(new Set(received.map(({ event }) => event.eventId)).size).toBe(1);
    expect(new Set(received.map(({ raw }) => raw.toString())).size).toBe(1);
    const { type, eventId, timestamp, ...event } = received[0]!.event;
    expect({ type, timestamp }).toEqual({ type: 'artwork.succeeded', timestamp: artwork.finishedAt });
    expect(event).toEqual(artwork);
    expect(artwork.images).toHaveLength(images);
  }
  await expectRecords(stack, ids, images);
  await expectSleeping(stack, ids);
  for (const id of ids) {
    const count = receiver.received.filter(({ event }) => event.id === id).length;
    expect(count).toBeLessThanOrEqual(deliveries);
  }
}

async function expectRecords(stack: Stack, ids: readonly string[], images: number): Promise<void> {
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  try {
    for (const id of ids) {
      // An attempt may be recorded a moment after its receiver has seen it.
      await eventually(async () => {
        const attempts = await client.query('select attempt, status from delivery where artwork_id = $1', [id]);
        expect(attempts.rows).toEqual([{ attempt: 1, status: 200 }]);
      });
      const { rows } = await client.query<{ name: string }>('select name from image where artwork_id = $1', [id]);
      const onDisk = await readdir(join(stack.dataFolder, 'images', id));
      // A kill may leave a draft, which is deleted with the folder.
      expect(onDisk.filter((name) => /\.(png|jpg|webp)$/.test(name)).sort()).toEqual(
        rows.map(({ name }) => name).sort(),
      );
      expect(rows).toHaveLength(images);
    }
  } finally {
    await client.end();
  }
}

async function expectSleeping(stack: Stack, ids: readonly string[]): Promise<void> {
  const { connection, close } = await openTemporal(stack);
  try {
    for (const id of ids) await eventually(async () => expect(await stateOf(connection, id)).toEqual(asleep));
  } finally {
    await close();
  }
}

const running = 1;
const asleep = { status: running, activities: 0, task: false };

async function stateOf({ workflowService }: Connection, workflowId: string) {
  const described = await workflowService.describeWorkflowExecution({
    namespace: 'default',
    execution: { workflowId },
  });
  const { workflowExecutionInfo, pendingActivities, pendingWorkflowTask } = described;
  return {
    status: workflowExecutionInfo?.status,
    activities: pendingActivities?.length ?? 0,
    task: pendingWorkflowTask != null,
  };
}
