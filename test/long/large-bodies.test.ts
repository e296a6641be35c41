/** Bodies of many megabytes: rejected at once, in little memory. The tests measure one API, alone on the machine. */
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { raw, rawBytes } from '../support/raw.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

let stack: Stack;

beforeAll(async () => {
  stack = await startSharedStack({ workers: 0 });
}, 120_000);
afterAll(() => stack.stop());

const json = Buffer.from('{"image":"https://example.com/photo.jpg"}');
const asJson = { 'content-type': 'application/json' };
const megabyte = 1024 * 1024;

/** Has an image field, so that it accepts 30 MB. */
const path = '/v2/artworks/depth-map';

function post(headers: Record<string, string>, ...body: Uint8Array[]) {
  const authorization = `Bearer ${stack.adminKey}`;
  return raw(stack.baseUrl, {
    method: 'POST',
    path,
    headers: { authorization, ...headers },
    body,
  });
}

// These tests run first, because the peak counts everything that the process has received.
const hostile: [name: string, text: string][] = [
  ['lists in lists', `${'['.repeat(14 * megabyte)}${']'.repeat(14 * megabyte)}`],
  ['lists that do not end', '['.repeat(28 * megabyte)],
  ['objects in a list', `[${'{},'.repeat(9 * megabyte)}{}]`],
  ['objects in objects', `${'{"a":'.repeat(4 * megabyte)}1${'}'.repeat(4 * megabyte)}`],
  ['empty texts', `["\\"",${'"",'.repeat(9 * megabyte)}""]`],
  ['one field again and again', `{${'"a":1,'.repeat(4 * megabyte)}"a":1}`],
];
test.each(hostile)('rejects 28 MB of %s without parsing them', async (_name, text) => {
  const { adminKey: key, baseUrl } = stack;
  const began = Date.now();
  const response = await call(`${baseUrl}${path}`, { method: 'POST', key, body: text });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual([' size']);
  expect(Date.now() - began).toBeLessThan(4000);
  expect(await peak()).toBeLessThan(900);
});

/** Returns the peak memory of the API in megabytes; 0 on systems without `/proc`. */
async function peak(): Promise<number> {
  const status = await readFile(`/proc/${stack.apis[0]!.pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Returns the current memory of the API in megabytes. */
async function memory(): Promise<number> {
  const { pid } = stack.apis[0]!;
  if (process.platform !== 'linux') return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024;
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

const spaces = Buffer.alloc(megabyte, ' ');
const large = Array.from({ length: 31 }, () => spaces);

test('rejects texts of 29 MB quickly and with little memory', async () => {
  const before = await memory();
  const huge = 't'.repeat(29 * megabyte);
  const dots = '.'.repeat(29 * megabyte);
  const image = 'https://example.com/photo.jpg';
  const instruction = 'a';
  const bodies: [path: string, body: object, path: string][] = [
    ['/v2/artworks/photo-pilot', { image, instruction: huge }, '/instruction'],
    [path, { image, webhookUrl: `https://example.com/${huge}` }, '/webhookUrl'],
    [path, { image, webhookUrl: `https://a${dots}b/` }, '/webhookUrl'],
    [path, { image: `https://a${dots}b/` }, '/image'],
    ['/v2/style-dna/edit/style-aware', { image, instruction, styleDnaId: huge }, '/styleDnaId'],
    [path, { image, metadata: { a: huge } }, '/metadata/a'],
    [path, { image, metadata: { [huge]: 'a' } }, '/metadata'],
    [path, { image, [huge]: 'a' }, ''],
  ];
  for (const [path, body, field] of bodies) {
    const began = Date.now();
    const response = await call(`${stack.baseUrl}${path}`, { method: 'POST', key: stack.adminKey, body });
    expect(expectProblem(response, 'validation_failed').map((one) => one.path)).toContain(field);
    expect(Date.now() - began).toBeLessThan(8000);
  }
  expect((await memory()) - before).toBeLessThan(400);
});

test('accepts 30 MB', async () => {
  const padding = Array.from({ length: 29 }, () => spaces);
  expect((await post(asJson, json, ...padding)).status).toBe(202);
});

test('returns 413 for more than 30 MB, whether declared or counted, with little memory', async () => {
  const before = await memory();
  for (let round = 0; round < 3; round++) {
    expectProblem(await post({ ...asJson, 'content-length': String(31 * megabyte) }, ...large), 'payload_too_large');
    expectProblem(await post(asJson, ...large), 'payload_too_large');
  }
  expect((await memory()) - before).toBeLessThan(150);
  expect((await post(asJson, json)).status).toBe(202);
});

test('rejects a body that is too large before its end', async () => {
  const head = `POST ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${stack.adminKey}\r\n`;
  const open = `${head}content-type: application/json\r\nconnection: close\r\n`;
  const announced = `${open}content-length: ${40 * megabyte}\r\n\r\n{`;
  const chunk = `${(31 * megabyte).toString(16)}\r\n${' '.repeat(31 * megabyte)}\r\n`;
  const endless = `${open}transfer-encoding: chunked\r\n\r\n${chunk}`;
  for (const bytes of [announced, endless]) expect(await rawBytes(stack.baseUrl, bytes)).toMatch(/^HTTP\/1.1 413 /);
});
