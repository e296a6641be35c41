/** The health check of the container images, against a real API. */
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { claimPort } from '../../scripts/local/ports.ts';
import { call } from '../support/client.ts';
import { joinService } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

let metrics: Awaited<ReturnType<typeof claimPort>>;
let api: FurtherApi;

beforeAll(async () => {
  metrics = await claimPort(0);
  // No PostgreSQL listens on this port.
  const outage = { DATABASE_URL: 'postgresql://atelier@127.0.0.1:1/atelier' };
  api = await startFurtherApi(await joinService('quick'), { ...outage, ATELIER_METRICS_PORT: String(metrics.port) });
});
afterAll(() => metrics.release());

/** Returns the exit code. */
function check(): Promise<number> {
  const env = { PATH: process.env['PATH'], ATELIER_METRICS_PORT: String(metrics.port) };
  return new Promise((resolve) => {
    execFile(process.execPath, ['scripts/image/health-check.mjs'], { env }, (error) =>
      resolve(error ? Number(error.code) : 0),
    );
  });
}

test('a container is healthy during an outage of PostgreSQL, but not after the end of its process', async () => {
  expect((await call(`http://127.0.0.1:${metrics.port}/health/ready`)).status).toBe(503);
  expect(await check()).toBe(0);
  await api.stop();
  expect(await check()).toBe(1);
});
