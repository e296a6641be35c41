/** Enhanced prompts are fuller, keep their subjects and stay within the limit; a rich prompt stays as it is. */
import { afterAll, expect, test } from '@jest/globals';
import { createRulesEngine } from '../index.ts';
import { read } from '../sketch/read/read.ts';
import { writing } from '../../contract/index.ts';

const engine = createRulesEngine();
afterAll(() => engine.close());

async function enhance(prompt: string, style: string | null = null): Promise<string> {
  const result = await engine.run(
    { model: 'textcraft', idempotencyKey: 'x', task: 'write', params: writing('enhance-prompt', { prompt, style }) },
    { signal: new AbortController().signal },
  );
  expect(result.model).toBe('local/rules');
  return result.written?.text ?? '';
}

const prompts = [
  'a red fox',
  'three sailboats at sunset',
  'bowl of fruit on a table',
  'quarterly synergies',
  'neon city',
  '黄昏の富士山',
  'a dragon under the sea',
  'cat',
  'an astronaut on the moon',
  'a teapot',
];

test.each(prompts)('extends "%s" and keeps its subjects', async (prompt) => {
  for (const style of [null, 'watercolor', 'noir', 'not-a-style']) {
    const full = await enhance(prompt, style);
    expect(full.startsWith(prompt)).toBe(true);
    expect(full.length).toBeGreaterThan(prompt.length + 40);
    expect(full.length).toBeLessThan(600);
    expect(await enhance(prompt, style)).toBe(full);
    expect(read(full).subjects.map((s) => [s.thing.name, s.count])).toEqual(
      read(prompt).subjects.map((s) => [s.thing.name, s.count]),
    );
  }
});

test('adds the medium of the style', async () => {
  expect(await enhance('a fox', 'linocut')).toContain('linocut');
});

test('leaves a rich prompt unchanged, and returns at most 4000 characters', async () => {
  const rich = `A wide view of a harbour at dusk ${'with many small details of rigging and stone '.repeat(6)}`.trim();
  expect(await enhance(rich)).toBe(rich);
  const long = 'fox '.repeat(1000).trim();
  expect((await enhance(long)).length).toBeLessThanOrEqual(4000);
  expect((await enhance('x'.repeat(3999))).length).toBeLessThanOrEqual(4000);
});
