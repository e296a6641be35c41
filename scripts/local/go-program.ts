/** Builds a program with Go into the user's cache, once for all starts and test runs. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { lockWhenFree } from '../../runtime/lock.mjs';
import { spawnChild } from './child.ts';
import { findProgram, isProgram } from './programs.ts';
import { tied } from './tied.ts';

export interface GoProgram {
  /** The name for people, such as `the Temporal CLI`. */
  label: string;
  /** The Go package with its version, such as `github.com/temporalio/cli/cmd/temporal@v1.5.1`. */
  source: string;
  /** Where the program is built, unless it exists: a path that contains its version. */
  file: string;
  env?: NodeJS.ProcessEnv;
  progress?: (what: string) => void;
  signal?: AbortSignal | undefined;
}

/**
 * Builds the program unless it exists, and returns `file`.
 * @throws Error with Go's output when the program cannot be built
 */
export async function buildGoProgram(program: GoProgram): Promise<string> {
  const { label, file, env = process.env, progress = () => undefined, signal } = program;
  if (isProgram(file)) return file;
  const go = findGo(env);
  const folder = dirname(file);
  const waiting = (pid: number) => progress(`waiting for pid ${pid}, which builds ${label}`);
  const release = await lockWhenFree(`${folder}.lock`, waiting, signal);
  try {
    if (existsSync(file)) return file;
    return await build(go, program);
  } finally {
    release();
  }
}

/** Builds in another folder and moves the program when it is complete, so an interrupted build leaves no partial one. */
async function build(go: string, program: GoProgram): Promise<string> {
  const { label, source, file, env = process.env, progress = () => undefined, signal } = program;
  const folder = dirname(file);
  const aside = mkdtempSync(`${folder}.building-`);
  const ticking = tick(label, progress);
  try {
    const logFile = join(aside, 'log');
    const { command, args } = tied(go, ['install', source], 'SIGKILL');
    const { GOOS: _os, GOARCH: _arch, ...own } = env;
    const child = await spawnChild({
      command,
      args,
      env: { ...own, GOBIN: aside },
      cwd: aside,
      logFile,
      signal,
      sharesFiles: true,
    });
    const { code } = await child.exited;
    signal?.throwIfAborted();
    if (code !== 0) throw new Error(readFileSync(logFile, 'utf8').trim().slice(-1500));
    mkdirSync(folder, { recursive: true });
    renameSync(join(aside, basename(file)), file);
    return file;
  } finally {
    clearInterval(ticking);
    rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * Returns the path of Go. Also looks in its usual folders, because services and CI jobs lack the PATH of the user's
 * shell.
 * @throws Error if there is no Go
 */
export function findGo(env: NodeJS.ProcessEnv): string {
  const usual = [
    env['GOROOT'] && join(env['GOROOT'], 'bin'),
    '/usr/local/go/bin',
    '/usr/lib/go/bin',
    '/opt/homebrew/bin',
  ];
  const go = findProgram('go', env) ?? usual.flatMap((folder) => (folder ? [join(folder, 'go')] : [])).find(isProgram);
  if (go === undefined) throw new Error('Go is neither on PATH nor in its usual folders');
  return go;
}

function tick(label: string, progress: (what: string) => void): NodeJS.Timeout {
  const started = Date.now();
  const say = () =>
    progress(`building ${label} with Go (once, takes minutes), ${Math.round((Date.now() - started) / 1000)} s`);
  say();
  return setInterval(say, 1000);
}
