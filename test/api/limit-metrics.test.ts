/** Every rejected request is counted by the limit that it exceeds. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { limitNames, otherLimits } from '../../schemas/limits.ts';
import { claimPort, type ClaimedPort } from '../../scripts/local/ports.ts';
import { operator } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { updateKey } from '../../store/keys.ts';
import { announceBody } from '../support/announced-body.ts';
import { call } from '../support/client.ts';
import { type Limited, limitedOrganization, post } from '../support/limited.ts';
import { readMetrics } from '../support/metrics.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { joinService } from '../support/shared.ts';
import { type FurtherApi, startFurtherApi } from '../support/stack.ts';

let api: FurtherApi;
let port: ClaimedPort;
let db: Database;
let limited: Limited;

beforeAll(async () => {
  port = await claimPort(0);
  api = await startFurtherApi(await joinService('accepting'), {
    ATELIER_METRICS_PORT: String(port.port),
    ATELIER_RATE_UNAUTHORIZED: '1',
  });
  db = openTestDatabase(api.databaseUrl);
  limited = await limitedOrganization(db, api, { keys: 0, styles: 0, streams: 0 });
});
afterAll(async () => {
  await db.close();
  await api.stop();
  port.release();
});

/** Returns the counts that are not 0. */
async function counts(): Promise<Record<string, number>> {
  const samples = (await readMetrics(port.port)).filter(({ name }) => name === 'atelier_limits_exceeded_total');
  // Each limit has a value from the start, because Prometheus does not see an increase from no value to 1.
  expect(samples.map(({ labels }) => labels['limit']).sort()).toEqual([...limitNames, ...otherLimits].sort());
  return Object.fromEntries(
    samples.filter(({ value }) => value > 0).map(({ labels, value }) => [labels['limit'] ?? '', value]),
  );
}

const boat = { prompt: 'a boat', width: 256, height: 256 };

test('counts the limits of keys, addresses, bodies and organizations, beginning with 0', async () => {
  expect(await counts()).toEqual({});
  const { orgId, newKey } = limited;
  const [key, admin] = [await newKey(), await newKey({ scope: 'admin' })];
  const { body } = await post(api.baseUrl, key, 'artworks/selena', boat);
  await call(`${api.baseUrl}/v2/artworks/${String(body['id'])}/events`, { key: key.apiKey });
  await post(api.baseUrl, key, 'style-dna/generate-anchor', { name: 'dusk', prompt: 'blue dusk' });
  const newest = { label: 'one more', scope: 'generator', domains: ['studio'] };
  await post(api.baseUrl, admin, `organizations/${orgId}/api-keys`, newest);
  const large = [
    'POST /v2/artworks/depth-map HTTP/1.1',
    `Authorization: Bearer ${key.apiKey}`,
    'Content-Type: application/json',
    `Content-Length: ${30 * 1024 ** 2}`,
  ];
  const bodies = [];
  for (let nth = 0; nth < 3; nth++) bodies.push(await announceBody(api.baseUrl, large));
  for (const { socket } of bodies) socket.destroy();
  await updateKey(db, { orgId, id: key.id }, { rateOthers: 1, rateCreations: 1 }, new Date(), operator);
  await call(`${api.baseUrl}/v2/artworks`, { key: key.apiKey });
  await post(api.baseUrl, key, 'artworks/selena', boat);
  for (let nth = 0; nth < 2; nth++) await call(`${api.baseUrl}/v2/artworks`, { key: null });
  expect(await counts()).toEqual({
    ...{ streams: 1, styles: 1, keys: 1 },
    ...{ bodyBytes: 1, keyRequests: 1, keyCreations: 1 },
    // Other tests send requests without a key from this address, too.
    unauthorized: expect.any(Number),
  });
});
