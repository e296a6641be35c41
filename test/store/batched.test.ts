/** Values that are read at the same time share a query, and each is read after it was requested. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { batched } from '../../store/batched.ts';

/** Returns a batched function that doubles even numbers, and the batches that were read. */
function doubling({ takes = 1 }: { takes?: number } = {}) {
  const batches: number[][] = [];
  const read = batched(async (keys: readonly number[]) => {
    batches.push([...keys]);
    await delay(takes);
    if (keys.includes(13)) throw new Error('unlucky');
    return new Map(keys.filter((key) => key % 2 === 0).map((key) => [key, key * 2]));
  });
  return { batches, read };
}

test('sends the first read at once, and combines later reads into the next query', async () => {
  const { batches, read } = doubling();
  const first = read(2);
  await Promise.resolve();
  expect(batches).toEqual([[2]]);
  const others = [read(4), read(5), read(4)];
  expect(await Promise.all([first, ...others])).toEqual([4, 8, null, 8]);
  expect(batches).toEqual([[2], [4, 5]]);
  // A value is never read before it is requested.
  expect(await read(4)).toBe(8);
  expect(batches).toEqual([[2], [4, 5], [4]]);
});

test('a failed query fails only the requests that share it', async () => {
  const { read } = doubling();
  const results = await Promise.allSettled([read(13), read(14), delay(0).then(() => read(16))]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  expect(await read(18)).toBe(36);
});

test('a query that takes long does not hold up the next one', async () => {
  const slow = Promise.withResolvers<Map<number, number>>();
  const read = batched((keys: readonly number[]) =>
    keys.includes(1) ? slow.promise : Promise.resolve(new Map(keys.map((key) => [key, key]))),
  );
  const stuck = read(1);
  await Promise.resolve();
  expect(await read(2)).toBe(2);
  slow.resolve(new Map([[1, 1]]));
  expect(await stuck).toBe(1);
});

test('the deadline of a request ends its wait, and not the query', async () => {
  const read = batched((keys: readonly string[]) => Promise.resolve(new Map(keys.map((key) => [key, timeLeft()]))));
  expect(await withDeadline(5000, () => read('a'))).toBe(Infinity);
  const stuck = batched(() => new Promise<Map<string, string>>(() => undefined));
  const error: unknown = await withDeadline(20, () => stuck('a')).catch((cause: unknown) => cause);
  expect(String(error)).toMatch(/deadline .*has passed/);
});
