/** `operator organizations limits`. */
import { beforeAll, expect, test } from '@jest/globals';
import { call } from '../support/client.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

interface Row {
  name: string;
  limit: number | null;
  isDefault: boolean;
}

const run = (...args: string[]) => operator(service.env, '--json', 'organizations', 'limits', service.orgId, ...args);

async function limits(...args: string[]): Promise<Record<string, Row>> {
  const { stdout } = await run(...args);
  return Object.fromEntries((JSON.parse(stdout) as Row[]).map((row) => [row.name, row]));
}

test('shows the limits with their use, and changes them with an audit entry', async () => {
  const shown = await operatorProcess(service.env, '--json', 'organizations', 'limits', service.orgId);
  expect(JSON.parse(shown.stdout)).toContainEqual({
    ...{ name: 'keys', limit: 1000, isDefault: true, unit: 'keys' },
    ...{ 'used in live': 1, 'used in test': 0 },
  });
  const changed = await limits('--set', 'unfinishedArtworks=50', 'storedBytes=20MB', '--set', 'streams=none');
  expect(changed).toMatchObject({
    unfinishedArtworks: { limit: 50, isDefault: false },
    storedBytes: { limit: 20 * 1024 ** 2, isDefault: false },
    streams: { limit: null, isDefault: false },
    styles: { limit: 1000, isDefault: true },
  });
  expect(await limits('--set', 'storedBytes=default', 'unfinishedArtworks=50')).toMatchObject({
    storedBytes: { limit: 5 * 1024 ** 3, isDefault: true },
  });
  const { body } = await call<{ items: object[] }>(`${service.baseUrl}/v2/organizations/${service.orgId}/audit`, {
    key: service.adminKey,
  });
  const entry = { actor: 'operator', action: 'organization.limits_changed', target: service.orgId };
  expect(body.items.slice(0, 2)).toMatchObject([
    { ...entry, changes: { storedBytes: { from: 20 * 1024 ** 2, to: 'default' } } },
    {
      ...entry,
      changes: {
        unfinishedArtworks: { from: 'default', to: 50 },
        storedBytes: { from: 'default', to: 20 * 1024 ** 2 },
        streams: { from: 'default', to: 'none' },
      },
    },
  ]);
});

test.each([
  ['images=5', '"images" is not a limit'],
  ['keys=-1', 'keys must be a whole number, none or default'],
  ['keys=1GB', 'keys must be a whole number'],
  ['storedBytes=1.5', 'storedBytes must be a whole number such as 500MB, none or default'],
])('rejects --set %s', async (text, message) => {
  const { code, stderr } = await run('--set', text);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
