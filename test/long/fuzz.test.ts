/** Generated requests: the service stays up, and every response conforms to its OpenAPI document. */
import { mkdirSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { fuzz } from '../support/schemathesis.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

/** Another seed generates other requests. */
const seed = 1;

let service: Service;

beforeAll(async () => {
  service = await joinService('quick');
}, 120_000);

test('returns no 5xx and no response outside the schema', async () => {
  mkdirSync(service.dataFolder, { recursive: true });
  const url = `${service.baseUrl}/openapi.json`;
  const { code, output } = await fuzz({
    url,
    key: service.adminKey,
    seed,
    examples: 3,
    // Enough for a busy machine; an idle one needs far less.
    atMost: 180,
    folder: service.dataFolder,
  });
  console.info(output.slice(output.indexOf('SUMMARY')));
  expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  expect(output).toMatch(/Selected: (\d+)\/\1\n\s+Tested: \1\n/);
  expect((await call(`${service.baseUrl}/health`)).status).toBe(200);
}, 420_000);
