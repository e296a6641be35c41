/** The current workflow code replays the histories of artworks that began under this or an earlier release. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { makeTelemetryFilterString, type ReplayResult, Runtime, Worker } from '@temporalio/worker';
import { version } from '../../runtime/version.ts';
import { fromText, type History } from '../../scripts/histories/json.ts';
import { bundleWorkflows } from '../../workers/bundle.ts';

const folder = fileURLToPath(new URL('histories/', import.meta.url));
const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json')).sort();
let bundle: Awaited<ReturnType<typeof bundleWorkflows>>;

beforeAll(async () => {
  const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  const logging = { filter: makeTelemetryFilterString({ core: 'ERROR' }) };
  Runtime.install({ logger: silent, telemetryOptions: { logging } });
  bundle = await bundleWorkflows();
});

const text = (file: string) => readFile(join(folder, file), 'utf8');

async function replay(histories: { workflowId: string; history: History }[]): Promise<ReplayResult[]> {
  const results: ReplayResult[] = [];
  for await (const result of Worker.runReplayHistories({ workflowBundle: bundle }, histories)) results.push(result);
  return results;
}

test('this release has recorded at least ten histories', () => {
  const mine = files.filter((file) => file.startsWith(`${version}/`));
  expect(mine.length).toBeGreaterThanOrEqual(10);
});

test('every recorded history replays', async () => {
  const histories = await Promise.all(
    files.map(async (file) => ({ workflowId: file, history: fromText(await text(file)) })),
  );
  const results = await replay(histories);
  expect(results.map(({ workflowId, error }) => ({ workflowId, error }))).toEqual(
    files.map((workflowId) => ({ workflowId, error: undefined })),
  );
});

test.each([
  ['an activity of another name', (json: string) => json.replace('"name": "perform"', '"name": "draw"')],
  ['a timer in place of an activity', withTimerForActivity],
  ['another local step', withFinaleForFinish],
])('rejects a history that the workflow code would not produce: %s', async (_name, change) => {
  const original = await text(`${version}/success.json`);
  const changed = change(original);
  expect(changed).not.toBe(original);
  const [result] = await replay([{ workflowId: 'changed', history: fromText(changed) }]);
  expect(result?.error?.name).toBe('DeterminismViolationError');
});

test.each(files)('%s contains no path, address or name of a machine', async (file) => {
  const json = await text(file);
  const decoded = json.replace(/"data": "([^"]*)"/g, (_all, data: string) => Buffer.from(data, 'base64').toString());
  expect(decoded).not.toMatch(
    /node_modules|file:\/\/|\/work\/|\/home\/|\/root\/|\/tmp\/|127\.0\.0\.1|localhost|"identity": "[^"]*@/,
  );
});

function withTimerForActivity(json: string): string {
  const history = JSON.parse(json) as { events: Record<string, unknown>[] };
  const index = history.events.findIndex((event) => event['eventType'] === 'EVENT_TYPE_ACTIVITY_TASK_SCHEDULED');
  const { eventId, eventTime } = history.events[index]!;
  const timerStartedEventAttributes = { timerId: '1', startToFireTimeout: '5s' };
  history.events[index] = { eventId, eventTime, eventType: 'EVENT_TYPE_TIMER_STARTED', timerStartedEventAttributes };
  history.events.length = index + 1;
  return JSON.stringify(history);
}

function withFinaleForFinish(json: string): string {
  return json.replace(/"data": "([^"]*)"/g, (_all, data: string) => {
    const text = Buffer.from(data, 'base64').toString().replace('"finish"', '"finale"');
    return `"data": "${Buffer.from(text).toString('base64')}"`;
  });
}
