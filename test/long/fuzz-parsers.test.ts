/** Many hostile inputs for every parser, and a check that each rule finds the parser that breaks it. */
import { expect, test } from '@jest/globals';
import { runProcess } from '../fuzz/run-process.ts';
import { tableNames } from '../fuzz/tables.ts';

const seed = process.env['ATELIER_TEST_SEED'] ?? '1';
const iterations = Number(process.env['ATELIER_TEST_ITERATIONS'] ?? 1500);

test.each(tableNames)(
  'every parser of the table %s rejects hostile input with its own errors, within its time and memory',
  async (table) => expect(await runProcess({ table, seed, iterations })).toBe(''),
  900_000,
);

test.each([
  ['throws for its example', 'rejects its example'],
  ['throws an error that it does not document', 'throws TypeError'],
  ['takes quadratic time', 'takes time that grows faster than its input'],
  ['takes quadratic time after a second of preparation', 'takes time that grows faster than its input'],
  ['takes a second for a short input', 'ms of CPU time for'],
  ['takes 700 MB for buffers', 'MB of memory'],
  ['takes 700 MB for objects', 'heap out of memory'],
  ['does not end', 'takes more than 20 s of CPU time for'],
  ['waits for too long', 'was interrupted'],
])(
  'finds a parser that %s',
  async (parser, message) => {
    const output = await runProcess({ table: 'broken', parser, iterations: 50 });
    expect(output).toContain(message);
  },
  180_000,
);

test.each([
  ['a parser that the table does not have', { parser: 'a parsr' }],
  ['a seed that is no number', { seed: 'one' }],
  ['a number of iterations that is none', { iterations: NaN }],
])('the process rejects %s', async (_name, options) => {
  expect(await runProcess({ table: 'schemas', iterations: 1, ...options })).toContain('Usage: ');
});
