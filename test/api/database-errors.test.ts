/** The log of an unexpected error of the database contains its code, but no statement and no values. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createEmptyDatabase } from '../support/migrated-database.ts';
import { eventually } from '../support/eventually.ts';
import { expectProblem } from '../support/problem.ts';
import { raw } from '../support/raw.ts';
import { joinService, shared } from '../support/shared.ts';
import { startFurtherApi } from '../support/stack.ts';

test('logs the code of an error of the database without its statement', async () => {
  // A database without tables fails every statement.
  const databaseUrl = await createEmptyDatabase(shared().databaseUrl, `empty_${randomUUID().replaceAll('-', '')}`);
  const api = await startFurtherApi(await joinService('quick'), { DATABASE_URL: databaseUrl });
  try {
    const headers = { authorization: `Bearer ${api.adminKey}`, 'x-request-id': 'without-tables' };
    expectProblem(await raw(api.baseUrl, { path: '/v2/artworks/selena/styles', headers }), 'internal_error');
    await eventually(async () => {
      const log = await readFile(join(api.dataFolder, `api-${new URL(api.baseUrl).port}.log`), 'utf8');
      const line = log.split('\n').find((one) => one.includes('without-tables') && one.includes('"err"'));
      expect(JSON.parse(line ?? '{}')).toMatchObject({ level: 50, err: { message: 'ERROR 42P01', code: '42P01' } });
      expect(line).not.toContain('select');
    }, 5000);
  } finally {
    await api.stop();
  }
});
