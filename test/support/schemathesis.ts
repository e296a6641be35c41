/** Schemathesis, which makes up requests from an OpenAPI document: from PyPI, kept in a virtual environment of its own. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const version = '4.32.5';

/** Seconds for one answer: some of the requests ask to wait for an artwork. */
const patience = 75;

/** @returns the folder that has it, for `python3 -m schemathesis.cli` */
async function findSchemathesis(): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const folder = join(cache, 'atelier', `schemathesis-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(dirname(folder), { recursive: true });
  // Installed aside and moved when complete, so that nobody sees half of it, and two at once both end well.
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
  /** Of the OpenAPI document. */
  url: string;
  key: string;
  seed: number;
  /** Requests made up for each operation, beyond those that cover its schema. */
  examples: number;
  /** Seconds. */
  atMost: number;
  /** Where the requests are kept. */
  folder: string;
}

/** @returns its exit code, 0 when it has found nothing, and what it has to say */
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
    ...['--max-time', String(options.atMost), '--request-timeout', String(patience)],
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
