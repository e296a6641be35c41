/** Installs and runs Schemathesis, which generates requests from an OpenAPI document. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const version = '4.32.5';

/** Seconds for one response; some requests wait for an artwork. */
const responseTimeout = 75;

/** Returns the folder of the package, for `python3 -m schemathesis.cli`. */
async function findSchemathesis(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'atelier', `schemathesis-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  // Installed in another folder and moved when complete, so that concurrent installations do not conflict.
  const aside = await mkdtemp(`${folder}-`);
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', aside, `schemathesis==${version}`]);
    await rename(aside, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
    return folder;
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

export interface FuzzOptions {
  /** URL of the OpenAPI document. */
  url: string;
  key: string;
  seed: number;
  /** Generated requests per operation, in addition to those that cover its schema. */
  examples: number;
  /** Timeout in seconds. */
  atMost: number;
  /** Working directory of the process. */
  folder: string;
}

/** Returns the exit code, which is 0 when no failure was found, and the output. */
export async function fuzz(options: FuzzOptions): Promise<{ code: number | null; output: string }> {
  const folder = await findSchemathesis();
  const checks = [
    'not_a_server_error',
    'status_code_conformance',
    'content_type_conformance',
    'response_headers_conformance',
    'response_schema_conformance',
    'unsupported_method',
    'ignored_auth',
  ];
  const args = [
    ...['-c', 'from schemathesis.cli import schemathesis; schemathesis()'],
    ...['run', options.url, '--header', `Authorization: Bearer ${options.key}`],
    ...['--checks', checks.join(','), '--phases', 'examples,coverage,fuzzing'],
    ...['--seed', String(options.seed), '--max-examples', String(options.examples)],
    ...['--max-time', String(options.atMost), '--request-timeout', String(responseTimeout)],
    ...['--continue-on-failure', '--no-shrink', '--no-color'],
  ];
  const child = spawn('python3', args, {
    cwd: options.folder,
    env: { ...process.env, PYTHONPATH: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output };
}
