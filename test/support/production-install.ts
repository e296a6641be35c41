/** Installs the project as operators do: without development packages, in a folder of its own. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../..', import.meta.url));
/** What a deployment does not need. */
const notCopied = ['node_modules', 'test', 'bench', 'docs', 'coverage'];

/** @param options of `npm ci --omit=dev --ignore-scripts` */
export async function installForProduction(folder: string, ...options: string[]): Promise<void> {
  const names = (await readdir(project)).filter((name) => !notCopied.includes(name) && !name.startsWith('.'));
  for (const name of [...names, '.npmrc']) await cp(join(project, name), join(folder, name), { recursive: true });
  await npm(folder, 'ci', '--omit=dev', '--ignore-scripts', ...options);
}

/** Installs a version of Node from its npm package. Returns the path of the program. */
export async function installNode(folder: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true,"allowScripts":{"node":true}}');
  await npm(folder, 'install', `node@${version}`);
  return join(folder, 'node_modules/node/bin/node');
}

export interface Output {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of the install to its end. */
export function runIn(folder: string, env: NodeJS.ProcessEnv, command: string, ...args: string[]): Promise<Output> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: folder, env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

async function npm(folder: string, ...args: string[]): Promise<void> {
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  await promisify(execFile)('npm', [...args, '--loglevel=error'], { cwd: folder, env });
}
