/** Requests that nobody would think of: whatever comes, the service stays up and answers as its OpenAPI document says. */
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call } from './support/client.ts';
import { fuzz } from './support/schemathesis.ts';
import { startSharedStack } from './support/shared.ts';
import type { Stack } from './support/stack.ts';

/** Others give other requests. */
const seed = 1;

let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack();
}, 120_000);
afterAll(() => stack.stop());

test('no 5xx, and no answer outside of the schema', async () => {
  mkdirSync(stack.dataFolder, { recursive: true });
  const url = `${stack.baseUrl}/openapi.json`;
  const { code, output } = await fuzz({
    url,
    key: stack.adminKey,
    seed,
    examples: 5,
    atMost: 60,
    folder: stack.dataFolder,
  });
  console.info(output.slice(output.indexOf('SUMMARY')));
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  expect(output).toMatch(/Selected: (\d+)\/\1\n\s+Tested: \1\n/);
  expect((await call(`${stack.baseUrl}/health`)).status).toBe(200);
}, 300_000);
