/** Bodies that arrive slowly: the key is checked again, and a body that hardly arrives is rejected. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Database } from '../../store/database.ts';
import { revokeKey } from '../../store/keys.ts';
import { announceBody } from '../support/announced-body.ts';
import { openTestDatabase } from '../support/open-database.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { createTestKey } from '../support/test-key.ts';

jest.setTimeout(120_000);

let service: Service;
let db: Database;

beforeAll(async () => {
  service = await joinService('accepting');
  db = openTestDatabase(service.databaseUrl);
});
afterAll(() => db.close());

/** Announces a body of this many bytes, and returns how to send it and the response to it. */
async function open(path: string, apiKey: string, bytes: number, type = 'application/json') {
  const { status, response, socket } = await announceBody(service.baseUrl, [
    `POST ${path} HTTP/1.1`,
    `Authorization: Bearer ${apiKey}`,
    `Content-Type: ${type}`,
    `Content-Length: ${bytes}`,
  ]);
  expect({ status, response }).toMatchObject({ status: 100 });
  const answered = new Promise<string>((resolve) => {
    let text = '';
    socket.on('data', (data: string) => (text += data));
    socket.once('close', () => resolve(text));
    socket.on('data', () => text.includes('}') && resolve(text));
  });
  return { send: (body: string) => socket.write(body), answered, socket };
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test.each([
  ['a creation', '/v2/artworks/selena', JSON.stringify({ prompt: 'a boat' }), 'application/json'],
  ['a change', '', JSON.stringify({ label: 'a', scope: 'generator', domains: ['studio'] }), 'application/json'],
  ['an upload', '/v2/files', 'not an image, but long enough', 'image/png'],
])('%s whose key is revoked while its body arrives gets 401', async (_name, named, body, type) => {
  const path = named || `/v2/organizations/${service.orgId}/api-keys`;
  const { id, apiKey } = await createTestKey(db, { orgId: service.orgId, scope: 'admin' });
  const { send, answered, socket } = await open(path, apiKey, body.length, type);
  send(body.slice(0, -1));
  await pause(1200);
  await revokeKey(db, id, new Date());
  send(body.slice(-1));
  expect(await answered).toMatch(/^HTTP\/1.1 401 .*key_revoked/s);
  socket.destroy();
});

test('rejects a body of which less than 16 KB arrive in 30 seconds', async () => {
  const { apiKey } = await createTestKey(db, { orgId: service.orgId });
  const { send, answered, socket } = await open('/v2/artworks/depth-map', apiKey, 1_000_000);
  send('{"image":"');
  const timer = setInterval(() => send('A'.repeat(100)), 1000);
  const response = await answered;
  clearInterval(timer);
  socket.destroy();
  expect(response).toMatch(/^HTTP\/1.1 400 .*"rule":"timeout"/s);
});
