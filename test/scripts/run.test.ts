/** scripts/run.mjs: which Node it uses, and how exit codes and signals pass through it. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
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

test('runs TypeScript on the Node of the packages with its arguments and passes the exit code on', async () => {
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

describe('with --no-install', () => {
  /** A copy of the project with these folders in node_modules. */
  function copy(name: string, ...folders: string[]): string {
    const root = join(folder, name);
    for (const one of ['scripts', 'runtime']) mkdirSync(join(root, one), { recursive: true });
    for (const file of [
      'package.json',
      ...['run', 'install'].map((one) => `scripts/${one}.mjs`),
      ...['lock', 'process-identity'].map((one) => `runtime/${one}.mjs`),
    ])
      copyFileSync(file, join(root, file));
    for (const one of folders) mkdirSync(join(root, 'node_modules', one), { recursive: true });
    writeFileSync(join(root, 'hello.ts'), "const who: string = 'Node'; console.log(`hello, ${who}`);");
    return root;
  }

  const runCopy = (root: string, ...options: string[]) => {
    const args = [...options, 'scripts/run.mjs', '--no-install', 'hello.ts'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: {} });
    return { status, stdout, stderr };
  };

  test('runs on the Node at hand when the packages contain none', () => {
    expect(runCopy(copy('production', '.bin'))).toEqual({ status: 0, stdout: 'hello, Node\n', stderr: '' });
  });

  test('names the supported versions on a Node that cannot run TypeScript', () => {
    const { status, stderr } = runCopy(copy('old', '.bin'), '--no-experimental-strip-types');
    expect(stderr).toBe(
      `This is Node ${process.versions.node}, and Atelier needs ^22.18.0 || >=24.0.0: install a supported Node.\n`,
    );
    expect(status).toBe(1);
  });

  test('names the command that installs missing packages', () => {
    const message = 'The packages are not installed. Run npm ci --omit=dev first.\n';
    expect(runCopy(copy('empty'))).toEqual({ status: 1, stdout: '', stderr: message });
  });
});
