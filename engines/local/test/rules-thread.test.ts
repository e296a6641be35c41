/** Rules in a worker thread: errors arrive as they were thrown, and a signal ends the work. */
import { afterAll, expect, test } from '@jest/globals';
import { createRulesEngine } from '../index.ts';
import { writing } from '../../contract/index.ts';
import { whileWatched } from './main-thread.ts';

const engine = createRulesEngine();
afterAll(() => engine.close());

const ask = (text: string, signal = new AbortController().signal): ReturnType<typeof engine.run> =>
  engine.run(
    {
      model: 'textcraft',
      idempotencyKey: 'x',
      task: 'write',
      params: writing('rewrite', { text, instructions: null }),
    },
    { signal },
  );

test('rejects with the code and the message of the rules', async () => {
  await expect(ask('Der Hund schläft auf dem Sofa und träumt.')).rejects.toMatchObject({
    name: 'EngineError',
    code: 'input_invalid',
    publicMessage: expect.stringContaining('configure a language model'),
  });
});

test('keeps the main thread free during a long text, ends it with its signal, and writes the next one', async () => {
  await ask('hello');
  const endless = 'We often bake bread because it is very good. '.repeat(12_000);
  const { result, whole, longest } = await whileWatched(() =>
    Promise.allSettled([ask(endless, AbortSignal.timeout(700)), ask('hello', AbortSignal.timeout(100))]),
  );
  const [running, queued] = result;
  expect([running.status, queued.status]).toEqual(['rejected', 'rejected']);
  expect(whole).toBeLessThan(3000);
  expect(longest).toBeLessThan(whole / 2);
  expect((await ask('hello')).written?.text).toBe('Hello');
});
