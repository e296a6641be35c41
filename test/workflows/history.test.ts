/** The history of an artwork with default settings: its timers, its details for operators, and no personal data. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { History } from '../../scripts/histories/json.ts';
import { call, create } from '../support/client.ts';
import { findInTables } from '../support/database-texts.ts';
import { eventually } from '../support/eventually.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { textsOf } from '../support/history-texts.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';
import { openTemporal, type TemporalClient } from '../support/temporal.ts';

type Event = NonNullable<History['events']>[number];

const day = 24 * 3600;
let service: Service;
let receiver: Receiver;
let refusing: Receiver;
let client: TemporalClient;

beforeAll(async () => {
  [service, receiver, refusing] = await Promise.all([
    joinService('quick'),
    startReceiver(),
    startReceiver((response) => void response.writeHead(500).end()),
  ]);
  client = await openTemporal(service);
});
afterAll(async () => {
  await client.close();
  await Promise.all([receiver.close(), refusing.close()]);
});

const personal = {
  prompt: 'a very secret zebra',
  negativePrompt: 'unwanted giraffes',
  metadata: { customer: 'Mrs Quodlibet' },
};

async function make(webhookUrl: string): Promise<string> {
  return (await create(service, { ...personal, promptMode: 'seer', width: 256, height: 256, webhookUrl })).id;
}

/** Returns the history once the workflow waits for nothing but timers. */
async function asleep(id: string, timers: number): Promise<Event[]> {
  return await eventually(async () => {
    const { events } = await client.client.workflow.getHandle(id).fetchHistory();
    expect(events!.filter(({ timerStartedEventAttributes: timer }) => timer)).toHaveLength(timers);
    // Types 5 to 7 are the events of a workflow task; after its completion, its commands follow.
    expect(events!.at(-1)!.eventType).toBeGreaterThan(7);
    return events!;
  });
}

const seconds = (event: Event | undefined) => {
  const { seconds, nanos } = event?.timerStartedEventAttributes?.startToFireTimeout ?? {};
  return Number(seconds) + (nanos ?? 0) / 1e9;
};
const summary = ({ userMetadata }: Event) =>
  JSON.parse(Buffer.from(userMetadata?.summary?.data ?? []).toString() || '""') as string;

test('has timers for the retention and the second attempt, and the whole schedule as input', async () => {
  const id = await make(refusing.url);
  const events = await asleep(id, 2);
  const timers = events.filter(({ timerStartedEventAttributes: timer }) => timer);
  const byName = Object.fromEntries(timers.map((timer): [string, number] => [summary(timer), seconds(timer)]));
  expect(Object.keys(byName).sort()).toEqual(['before delivery 2', 'retention']);
  expect(byName['retention']).toBeGreaterThan(8 * day - 5);
  expect(byName['retention']).toBeLessThanOrEqual(8 * day);
  expect(byName['before delivery 2']).toBeGreaterThan(4.9);
  expect(byName['before delivery 2']).toBeLessThanOrEqual(5.5);
  const input = events[0]!.workflowExecutionStartedEventAttributes!.input!.payloads![0]!.data!;
  const { schedule } = JSON.parse(Buffer.from(input).toString()) as { schedule: number[] };
  const hour = 3600;
  expect(schedule.map((ms) => ms / 1000)).toEqual([
    ...[0, 5, 300, 1800],
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour),
  ]);
});

test('contains no personal data, URL, secret or path of the machine', async () => {
  const id = await make(receiver.url);
  await receiver.until(id);
  const failed = (await create(service, { prompt: 'hardcore porn', webhookUrl: receiver.url })).id;
  await receiver.until(failed);
  for (const one of [id, failed]) {
    const texts = [...textsOf(await asleep(one, 1))].join('\n');
    expect(texts).toContain(one);
    const key = service.adminKey.slice(0, 10);
    for (const word of [
      'zebra',
      'giraffe',
      'Quodlibet',
      'hardcore',
      'http',
      key,
      service.webhookSecret.slice(6),
      'node_modules',
      process.cwd(),
    ]) {
      expect({ word, found: texts.includes(word) }).toEqual({ word, found: false });
    }
  }
});

test('contains neither the request id nor any host of a client, and after the deletion the database does not either', async () => {
  const requestId = 'order-of-Mr-Zwiebelfisch';
  const sql = new pg.Client(service.databaseUrl);
  await sql.connect();
  const hosts = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  const [hook, pictures, missing] = hosts.map(({ url }) => new URL(url).host) as [string, string, string];
  await Promise.all(hosts.slice(1).map((host) => host.close()));
  const post = (operation: string, body: object) =>
    call<{ id: string }>(`${service.baseUrl}/v2/artworks/${operation}`, {
      ...{ method: 'POST', key: service.adminKey, headers: { 'x-request-id': requestId } },
      body: { ...body, webhookUrl: `http://${hook}/hook` },
    });
  // No other test of the service uses these.
  const [prompt, metadata] = ['a shy okapi', { customer: 'Frau Wolkenkuckuck' }];
  const words = [requestId, hook, pictures, missing, prompt, metadata.customer];
  const made = await post('selena', { prompt, metadata, width: 256, height: 256 });
  // Its images cannot be fetched: the failure must not contain their addresses.
  const failed = await post('face-swap', {
    sourceImage: `http://${pictures}/a.png`,
    targetImage: `http://${missing}/b.png`,
  });
  const ids = [made.body.id, failed.body.id];
  try {
    for (const id of ids) await hosts[0].until(id);
    for (const id of ids) {
      const handle = client.client.workflow.getHandle(id);
      const seen = [
        await asleep(id, 1),
        (await handle.describe()).raw,
        await handle.query('__temporal_workflow_metadata'),
      ];
      const texts = [...textsOf(seen)].join('\n');
      expect(texts).toContain(id);
      expect(words.filter((word) => texts.includes(word))).toEqual([]);
    }
    expect(await findInTables(sql, words)).not.toEqual([]);
    for (const id of ids) {
      const deleted = await call(`${service.baseUrl}/v2/artworks/${id}`, { method: 'DELETE', key: service.adminKey });
      expect(deleted.status).toBe(204);
    }
    expect(await findInTables(sql, words)).toEqual([]);
    for (const id of ids) {
      const handle = client.client.workflow.getHandle(id);
      await handle.result();
      const texts = [...textsOf([await handle.fetchHistory(), (await handle.describe()).raw])].join('\n');
      expect(words.filter((word) => texts.includes(word))).toEqual([]);
    }
  } finally {
    await sql.end();
    await hosts[0].close();
  }
});

test('has summaries, search attributes and details for operators', async () => {
  const id = await make(receiver.url);
  await receiver.until(id);
  const events = await asleep(id, 1);
  const activities = events.filter(({ activityTaskScheduledEventAttributes: scheduled }) => scheduled);
  expect(activities).toHaveLength(2);
  for (const activity of activities) expect(summary(activity)).toMatch(/\w+/);
  const handle = client.client.workflow.getHandle(id);
  const description = await handle.describe();
  expect(await description.staticSummary()).toBe(`selena · ${service.orgId}`);
  expect(await description.staticDetails()).toMatch(/^Created by key_\w+\.$/);
  expect(description.searchAttributes).toMatchObject({
    AtelierOrganization: [service.orgId],
    AtelierOperation: ['selena'],
    AtelierStatus: ['SUCCEEDED'],
    AtelierModel: ['selena'],
  });
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  for (const step of ['generate', 'SUCCEEDED', 'delivery 1 of 10', 'kept until'])
    expect(currentDetails).toContain(step);
});

test('has at most 25 events and 12 KB when the artwork sleeps', async () => {
  const { id } = await create(service, { ...personal, width: 256, height: 256, webhookUrl: receiver.url });
  await receiver.until(id);
  await asleep(id, 1);
  const { historyLength, historySize } = await client.client.workflow.getHandle(id).describe();
  console.info(`a sleeping artwork: ${historyLength} events, ${historySize} bytes`);
  expect(historyLength).toBeLessThanOrEqual(25);
  expect(historySize).toBeGreaterThan(0);
  expect(historySize).toBeLessThanOrEqual(12 * 1024);
});
