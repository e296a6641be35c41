/** scripts/run.mjs: which Node it uses, and how exit codes and signals pass through it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from './folder.ts';

const folder = testFolder();

function run(source: string, ...args: string[]): { child: ChildProcess; output: () => string } {
  const script = join(folder, `${Math.random().toString(36).slice(2)}.ts`);
  writeFileSync(script, source);
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', script, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text };
}

const waiting = `
  process.on('SIGTERM', () => { console.log('terminated'); process.exit(0); });
  setInterval(() => undefined, 1000);
  console.log(process.pid);`;

test('runs TypeScript on Node 24 with its arguments and passes the exit code on', async () => {
  const { child, output } = run(
    'const n: number = 7; console.log(process.version, process.argv[2]); process.exit(n);',
    'x',
  );
  expect(await once(child, 'close')).toEqual([7, null]);
  expect(output()).toMatch(/^v24\.\d+\.\d+ x\n$/);
});

test('passes SIGTERM on, and the graceful end of the script back', async () => {
  const { child, output } = run(waiting);
  await once(child.stdout!, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(output()).toContain('terminated');
});

test('exits with 137, like a shell, when the script is killed', async () => {
  const { child, output } = run(waiting);
  await once(child.stdout!, 'data');
  process.kill(Number(output()), 'SIGKILL');
  expect(await once(child, 'close')).toEqual([137, null]);
});
