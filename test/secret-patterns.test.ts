/** The patterns for secret scanners in docs/security/keys.md find every secret of the service, and nothing else. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { newApiKey, newId, newWebhookSecret } from '../store/ids.ts';

const page = readFileSync('docs/security/keys.md', 'utf8');
const inTable = [...page.matchAll(/^\| [a-zA-Z ]+\| `(.+?)` +\|$/gm)].map(([, pattern]) => pattern!);
const inGitleaks = [...page.matchAll(/^regex = '''(.+)'''$/gm)].map(([, pattern]) => pattern!);

test('the table and the configuration of Gitleaks have the same patterns', () => {
  expect(inTable).toHaveLength(2);
  expect(inGitleaks).toEqual(inTable);
});

test.each([
  ['a live key', () => newApiKey('live')],
  ['a test key', () => newApiKey('test')],
  ['a webhook secret', newWebhookSecret],
])('the patterns find %s in a text', (_name, create) => {
  for (let round = 0; round < 100; round++) {
    const secret = create();
    const found = inTable.flatMap((pattern) => `KEY="${secret}"\n`.match(new RegExp(pattern)) ?? []);
    expect(found).toEqual([secret]);
  }
});

test('the patterns find neither ids nor prefixes of keys', () => {
  const text = [newId('art'), newId('key'), newApiKey('live').slice(0, 10), 'whsec_…'].join(' ');
  expect(inTable.filter((pattern) => new RegExp(pattern).test(text))).toEqual([]);
});
