/** The webhook secret: its rotation with and without a grace period, as receivers see it; the database holds no clear text. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { call, create } from '../support/client.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  [service, receiver] = await Promise.all([joinService('quick'), startReceiver()]);
});
afterAll(async () => {
  await receiver.close();
});

interface Rotated {
  webhookSecret: string;
  rotatedAt: string;
  previousSecretExpiresAt: string | null;
}

async function rotate(body?: object): Promise<Rotated> {
  const url = `${service.baseUrl}/v2/organizations/${service.orgId}/webhook-secret`;
  const response = await call<Rotated & { orgId: string }>(url, { method: 'POST', key: service.adminKey, body });
  expect(response.status).toBe(200);
  expect(response.body).toEqual({
    orgId: service.orgId,
    webhookSecret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
    rotatedAt: new Date(response.body.rotatedAt).toISOString(),
    previousSecretExpiresAt: response.body.previousSecretExpiresAt,
  });
  const organization = await call(`${service.baseUrl}/v2/organizations/${service.orgId}`, { key: service.adminKey });
  expect(organization.body['webhookSecretRotatedAt']).toBe(response.body.rotatedAt);
  return response.body;
}

/** Delivers a new artwork. Returns the number of signatures in both headers, and whether each secret verifies them. */
async function delivered(...secrets: string[]) {
  const { id } = await create(service, { prompt: 'hardcore porn', webhookUrl: receiver.url });
  const [one] = (await receiver.until(id)) as [Received];
  const { headers } = one;
  const genuine = verifiers(one, secrets);
  const own = String(headers['atelier-signature']).split(',');
  const standard = String(headers['webhook-signature']).split(' ');
  return { own: own.length, standard: standard.length, verified: secrets.map((secret) => genuine.includes(secret)) };
}

/** Returns the secrets that verify a delivery. */
function verifiers({ headers, raw }: Received, secrets: string[]): string[] {
  return secrets.filter((secret) => {
    try {
      return Boolean(new Webhook(secret).verify(raw, headers as Record<string, string>));
    } catch {
      return false;
    }
  });
}

test('a rotated secret signs alone unless the request has a grace period', async () => {
  const before = service.webhookSecret;
  expect(await delivered(before)).toEqual({ own: 1, standard: 1, verified: [true] });

  const first = await rotate();
  expect(first.previousSecretExpiresAt).toBeNull();
  expect(await delivered(first.webhookSecret, before)).toEqual({ own: 1, standard: 1, verified: [true, false] });

  const second = await rotate({ gracePeriodSeconds: 3600 });
  const graceEnds = Date.parse(second.rotatedAt) + 3_600_000;
  expect(second.previousSecretExpiresAt).toBe(new Date(graceEnds).toISOString());
  const both = await delivered(second.webhookSecret, first.webhookSecret, before);
  expect(both).toEqual({ own: 2, standard: 2, verified: [true, true, false] });

  const third = await rotate({ gracePeriodSeconds: 0 });
  const alone = await delivered(third.webhookSecret, second.webhookSecret, first.webhookSecret);
  expect(alone).toEqual({ own: 1, standard: 1, verified: [true, false, false] });

  const fourth = await rotate({ gracePeriodSeconds: 1 });
  await new Promise((resolve) => setTimeout(resolve, 1100));
  const over = await delivered(fourth.webhookSecret, third.webhookSecret);
  expect(over).toEqual({ own: 1, standard: 1, verified: [true, false] });
});

test('each attempt is signed with the secrets of its own moment', async () => {
  const held: (() => void)[] = [];
  const slow = await startReceiver((response, nth) => {
    if (nth > 1) return void response.end();
    held.push(() => response.writeHead(503, { 'retry-after': '1' }).end());
  });
  try {
    const before = (await rotate()).webhookSecret;
    const { id } = await create(service, { prompt: 'hardcore porn', webhookUrl: slow.url });
    await slow.until(id);
    const { webhookSecret: after } = await rotate();
    held.forEach((respond) => respond());
    const [first, second] = await slow.until(id, 2);
    expect([first, second].map((one) => one && verifiers(one, [before, after]))).toEqual([[before], [after]]);
    expect(second?.raw).toEqual(first?.raw);
    expect(second?.event.eventId).toBe(first?.event.eventId);
  } finally {
    await slow.close();
  }
});

test('after concurrent rotations, the last secret signs, and the one before it during the grace period', async () => {
  const made = await Promise.all(Array.from({ length: 8 }, () => rotateAtOnce({ gracePeriodSeconds: 3600 })));
  const { own, standard, verified } = await delivered(...made);
  expect({ own, standard, verified: verified.filter(Boolean).length }).toEqual({ own: 2, standard: 2, verified: 2 });
  await rotate();
});

async function rotateAtOnce(body: object): Promise<string> {
  const url = `${service.baseUrl}/v2/organizations/${service.orgId}/webhook-secret`;
  return (await call<Rotated>(url, { method: 'POST', key: service.adminKey, body })).body.webhookSecret;
}

async function rowsAsText(): Promise<string> {
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  const { rows } = await client.query(
    'select o::text as row from organization o union all select k::text from api_key k',
  );
  await client.end();
  return JSON.stringify(rows);
}

test('the database holds neither a key nor a secret in clear text', async () => {
  const { webhookSecret } = await rotate();
  const fields = { label: 'a', scope: 'generator', domains: ['studio'] };
  const keys = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  const { body } = await call(keys, { method: 'POST', key: service.adminKey, body: fields });
  const rows = await rowsAsText();
  expect(rows).toContain(body['keyId']);
  for (const secret of [String(body['apiKey']), webhookSecret, webhookSecret.slice('whsec_'.length)]) {
    for (const bytes of [Buffer.from(secret), Buffer.from(secret, 'base64')]) {
      expect(rows).not.toContain(bytes.toString('utf8'));
      expect(rows).not.toContain(bytes.toString('hex'));
    }
  }
});
