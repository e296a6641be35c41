/** Health endpoints check PostgreSQL and Temporal at most once per second. */
import { expect, test } from '@jest/globals';
import { cacheHealth, checkHealth } from '../runtime/health.ts';

test('many requests within a second cost one check, and the next second one more', async () => {
  let time = 0;
  let checks = 0;
  let isUp = true;
  const database = () => {
    checks++;
    return isUp ? Promise.resolve() : Promise.reject(new Error('down'));
  };
  const health = cacheHealth(
    () => checkHealth({ database }),
    () => time,
  );
  const statuses = async () => (await Promise.all([health(), health(), health()])).map(({ status }) => status);
  expect(await statuses()).toEqual(['ok', 'ok', 'ok']);
  isUp = false;
  time = 999;
  expect(await statuses()).toEqual(['ok', 'ok', 'ok']);
  time = 1000;
  expect(await statuses()).toEqual(['unavailable', 'unavailable', 'unavailable']);
  expect(checks).toBe(2);
});
