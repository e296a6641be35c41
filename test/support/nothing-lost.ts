/** Checks that no accepted artwork was lost: its event, images, records and workflow. */
import { expect } from '@jest/globals';
import type { Client } from '@temporalio/client';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { ended } from './client.ts';
import type { Receiver } from './receiver.ts';
import type { Service } from './stack.ts';
import { storedNames } from './stored-files.ts';
import { openTemporal } from './temporal.ts';

interface Expected {
  /** Number of images of each artwork. */
  images?: number;
  /** Maximum deliveries of one event; more than one where the receiver's response may have been lost. */
  deliveries?: number;
  /** The HTTP statuses with which the receiver responds to the attempts of the schedule. */
  statuses?: readonly number[];
  /** Milliseconds until each artwork has ended. More where the load may be faster than the engines. */
  timeout?: number;
  /** Fields that one of two releases does not know, so that only the event or only the artwork may have them. */
  newFields?: readonly string[];
}

/** Expects that every artwork has succeeded and has one event and its images, and that its workflow sleeps. */
export async function expectNothingLost(
  stack: Service,
  receiver: Receiver,
  ids: readonly string[],
  { images = 1, deliveries = 1, statuses = [200], timeout = 30_000, newFields = [] }: Expected = {},
): Promise<void> {
  for (const id of ids) {
    const artwork = await ended(stack, id, timeout);
    expect({ id, status: artwork.status }).toEqual({ id, status: 'SUCCEEDED' });
    const received = await receiver.until(id);
    expect(new Set(received.map(({ event }) => event.eventId)).size).toBe(1);
    expect(new Set(received.map(({ raw }) => raw.toString())).size).toBe(1);
    const { type, eventId, timestamp, ...event } = received[0]!.event;
    expect({ type, timestamp }).toEqual({ type: 'artwork.succeeded', timestamp: artwork.finishedAt });
    const without = (view: object) =>
      Object.fromEntries(Object.entries(view).filter(([name]) => !newFields.includes(name)));
    expect(without(event)).toEqual(without(artwork));
    expect(artwork.images).toHaveLength(images);
  }
  await expectRecords(stack, ids, { images, statuses });
  await expectSleeping(stack, ids);
  for (const id of ids) {
    const count = receiver.received.filter(({ event }) => event.id === id).length;
    expect(count).toBeLessThanOrEqual(deliveries);
  }
}

async function expectRecords(
  stack: Service,
  ids: readonly string[],
  { images, statuses }: Pick<Required<Expected>, 'images' | 'statuses'>,
): Promise<void> {
  const client = new pg.Client(stack.databaseUrl);
  await client.connect();
  try {
    for (const id of ids) {
      // An attempt may be recorded a moment after its receiver has seen it.
      await eventually(async () => {
        const attempts = await client.query(
          'select attempt, status from delivery where artwork_id = $1 order by attempt',
          [id],
        );
        expect(attempts.rows).toEqual(statuses.map((status, index) => ({ attempt: index + 1, status })));
      });
      const { rows } = await client.query<{ name: string; role: string }>(
        'select name, role from image where artwork_id = $1',
        [id],
      );
      const stored = await storedNames(stack, id);
      // A kill may leave a draft, which is deleted with the folder.
      expect(stored.filter((name) => /\.(png|jpg|webp)$/.test(name)).sort()).toEqual(
        rows.map(({ name }) => name).sort(),
      );
      expect(rows.filter(({ role }) => role !== 'input')).toHaveLength(images);
    }
  } finally {
    await client.end();
  }
}

async function expectSleeping(stack: Service, ids: readonly string[]): Promise<void> {
  const { client, close } = await openTemporal(stack);
  try {
    for (const id of ids) await eventually(async () => expect(await stateOf(client, id)).toEqual(asleep));
  } finally {
    await close();
  }
}

const running = 1;
const asleep = { status: running, activities: 0, task: false };

async function stateOf({ workflowService, options: { namespace } }: Client, workflowId: string) {
  const described = await workflowService.describeWorkflowExecution({
    namespace,
    execution: { workflowId },
  });
  const { workflowExecutionInfo, pendingActivities, pendingWorkflowTask } = described;
  return {
    status: workflowExecutionInfo?.status,
    activities: pendingActivities?.length ?? 0,
    task: pendingWorkflowTask != null,
  };
}
