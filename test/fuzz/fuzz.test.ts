/** A few hostile inputs for every parser. `npm run test:long -- fuzz-parsers` sends many. */
import { expect, test } from '@jest/globals';
import { runProcess } from './run-process.ts';
import { tableNames } from './tables.ts';

test.each(tableNames)(
  'every parser of the table %s rejects hostile input with its own errors, within its time and memory',
  async (table) => expect(await runProcess({ table, iterations: 30 })).toBe(''),
  120_000,
);
