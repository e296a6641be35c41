/** At most a few creations of an organization run at a time in an API process; the others wait for a slot, in order. */
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { withDeadline } from '../../runtime/deadline.ts';
import { createCreationSlots } from '../../services/creation-slots.ts';
import { Problem } from '../../services/problem.ts';
import { revokeKey } from '../../store/keys.ts';
import { call } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { limitedOrganization } from '../support/limited.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { expectProblem } from '../support/problem.ts';
import { joinService } from '../support/shared.ts';

const stays = new AbortController().signal;

/** Slots with one running creation of `org_a`, which ends when the test says so. */
function occupied(options: Parameters<typeof createCreationSlots>[0] = {}) {
  const slots = createCreationSlots({ slots: 1, ...options });
  const { promise, resolve: end } = Promise.withResolvers<void>();
  const first = slots.run('org_a', stays, () => promise);
  const begun: string[] = [];
  const take = (name: string, { org = 'org_a', gone = stays } = {}) =>
    slots.run(org, gone, () => Promise.resolve(void begun.push(name)));
  return { slots, take, begun, end: () => (end(), first) };
}

const rateLimited = { code: 'rate_limited', limit: 'creationsAtOnce', headers: { 'Retry-After': '5' } };

describe('slots', () => {
  test('creations begin in order; those of another organization do not wait', async () => {
    const { take, begun, end } = occupied();
    const waiting = [take('a'), take('b'), take('c')];
    await take('other', { org: 'org_b' });
    expect(begun).toEqual(['other']);
    await end();
    await Promise.all(waiting);
    expect(begun).toEqual(['other', 'a', 'b', 'c']);
  });

  test('at most so many creations run at a time, and a failure frees its slot', async () => {
    const slots = createCreationSlots({ slots: 3 });
    let [running, most] = [0, 0];
    const work = async (nth: number) => {
      most = Math.max(most, ++running);
      await delay(1);
      running -= 1;
      if (nth % 2 === 0) throw new Error('even');
    };
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, nth) => slots.run('org_a', stays, () => work(nth))),
    );
    expect([most, results.filter(({ status }) => status === 'rejected').length]).toEqual([3, 10]);
  });

  test('a creation that takes long gives up its slot', async () => {
    const { take, begun, end } = occupied({ maxSlotTime: 20 });
    await Promise.all([take('a'), take('b')]);
    expect(begun).toEqual(['a', 'b']);
    await end();
    await take('c');
    expect(begun).toEqual(['a', 'b', 'c']);
  });

  test('a late failure of Temporal or PostgreSQL rejects the creations that wait', async () => {
    const outcomes = async (maxSlotTime: number, error: Error) => {
      const slots = createCreationSlots({ slots: 1, maxSlotTime });
      const fail = async () => {
        await delay(30);
        throw error;
      };
      const works = [fail, () => delay(500), () => Promise.resolve(), () => Promise.resolve()];
      const results = await Promise.allSettled(works.map((work) => slots.run('org_a', stays, work)));
      return results.map((result) => (result.status === 'rejected' ? (result.reason as Problem).code : 'done'));
    };
    const timeout = Object.assign(new Error('Query read timeout'), { code: '57014' });
    // The second creation takes over the slot before the first one fails.
    expect(await outcomes(20, new Problem('unavailable'))).toEqual([
      'unavailable',
      'done',
      'unavailable',
      'unavailable',
    ]);
    expect(await outcomes(20, timeout)).toEqual(['57014', 'done', 'unavailable', 'unavailable']);
    // A failure that is not late, or has another reason, rejects no other creation.
    expect(await outcomes(60_000, new Problem('unavailable'))).toEqual(['unavailable', 'done', 'done', 'done']);
    expect(await outcomes(20, new Problem('insufficient_credits'))).toEqual([
      'insufficient_credits',
      'done',
      'done',
      'done',
    ]);
  });

  test('rejects a creation when the queue is full', async () => {
    const { take, begun, end } = occupied({ maxQueued: 1 });
    const waiting = take('a');
    await expect(take('b')).rejects.toMatchObject(rateLimited);
    await end();
    await waiting;
    await take('c');
    expect(begun).toEqual(['a', 'c']);
  });

  test.each([
    ['its longest wait', (take: () => Promise<void>) => take(), { maxWait: 20 }],
    ['the deadline of its request', (take: () => Promise<void>) => withDeadline(20, take), {}],
  ])('a creation is rejected after %s, and its slot is not lost', async (_name, within, options) => {
    const { slots, take, begun, end } = occupied(options);
    await expect(within(() => take('late'))).rejects.toMatchObject(rateLimited);
    await end();
    await slots.run('org_a', stays, () => take('waits for this one', { org: 'org_b' }));
    expect(begun).toEqual(['waits for this one']);
  });

  test('a creation leaves the queue when its client disconnects', async () => {
    const { take, begun, end } = occupied();
    const client = new AbortController();
    const waiting = take('gone', { gone: client.signal });
    client.abort();
    await expect(waiting).rejects.toBe(client.signal.reason);
    await expect(take('gone before', { gone: client.signal })).rejects.toBe(client.signal.reason);
    await end();
    await take('next');
    expect(begun).toEqual(['next']);
  });
});

test('creations wait for those of their organization only, and a key that is revoked meanwhile creates nothing', async () => {
  const service = await joinService('accepting');
  const db = openTestDatabase(service.databaseUrl);
  const locker = new pg.Client(service.databaseUrl);
  await locker.connect();
  try {
    const { newKey } = await limitedOrganization(db, service, {});
    const { rows } = await locker.query<{ pid: number }>('select pg_backend_pid() as pid');
    const blocked = `select pid from pg_stat_activity where ${rows[0]!.pid} = any(pg_blocking_pids(pid))`;
    const create = (key: string) =>
      call(`${service.baseUrl}/v2/artworks/selena`, { method: 'POST', key, body: { prompt: 'a fox' } });
    // The API gives up an insert that waits for two seconds. On a busy machine, that can be too short.
    await eventually(async () => {
      const [held, revoked] = [await newKey(), await newKey()];
      // The row of an artwork refers to its key, so the insert waits for this lock.
      await locker.query('begin');
      await locker.query('select from api_key where id = $1 for update', [held.id]);
      const sent = Array.from({ length: 12 }, () => create(held.apiKey));
      try {
        // Not by the locker, which sees the activity of the beginning of its transaction.
        await eventually(async () => expect((await db.em().execute(blocked)).length).toBe(4), 1500);
        sent.push(create(revoked.apiKey));
        const [other] = await Promise.all([
          create(service.adminKey),
          revokeKey(db, revoked.id, new Date()),
          // Longer than an authentication is valid.
          delay(1100),
        ]);
        expect(other.status).toBe(202);
      } finally {
        await locker.query('commit');
        await Promise.all(sent);
      }
      expectProblem(await sent.at(-1)!, 'key_revoked');
    }, 40_000);
  } finally {
    await locker.end();
    await db.close();
  }
});
