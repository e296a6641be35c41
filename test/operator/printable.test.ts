/** Texts of clients cannot control the terminal of the operator who lists them. */
import { beforeAll, expect, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { operator } from '../support/operator.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

/** A window title, a cleared line, a control sequence of one character, and a text that reads backwards. */
const label = 'shop\u001b]0;owned\u0007\u001b[2K\u009b1A\u007f\r\n\u202egnp.exe\u2066 ümläut 日本';
let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
  const url = `${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`;
  const body = { label, scope: 'generator', domains: ['studio'] };
  expect((await call(url, { method: 'POST', key: service.adminKey, body })).status).toBe(201);
});

test('prints control characters and marks of direction as escape sequences', async () => {
  const { code, stdout } = await operator(service.env, 'keys', 'list', service.orgId);
  expect(code).toBe(0);
  expect(stdout).toContain(
    'shop\\u001b]0;owned\\u0007\\u001b[2K\\u009b1A\\u007f\\u000d\\u000a\\u202egnp.exe\\u2066 ümläut 日本\n',
  );
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
});

test('prints JSON with the same text, and without such characters', async () => {
  const { stdout } = await operator(service.env, '--json', 'keys', 'list', service.orgId);
  const labels = (JSON.parse(stdout) as { label: string }[]).map((key) => key.label);
  expect(labels).toContain(label);
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
});

test('prints them as escape sequences in an error, too', async () => {
  const { code, stderr } = await operator(service.env, 'keys', 'show', service.orgId, 'key_\u001b[2K');
  expect(code).toBe(1);
  expect(stderr).toContain('key_\\u001b[2K');
});
