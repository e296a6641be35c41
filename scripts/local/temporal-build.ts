/** Builds the Temporal CLI with Go into the user's cache, once for all starts. */
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../lock.mjs';
import { spawnChild } from './child.ts';
import { tied } from './tied.ts';

export interface Build {
  go: string | undefined;
  version: string;
  cache: string;
  progress: (what: string) => void;
  signal?: AbortSignal | undefined;
}

export async function buildTemporal({ go, version, cache, progress, signal }: Build): Promise<string> {
  if (go === undefined) throw new Error('Go is neither on PATH nor in its usual folders');
  const program = join(cache, 'temporal');
  const release = await lockWhenFree(`${cache}.lock`, progress, signal);
  // Built in another folder and moved when complete, so that an interrupted build leaves no partial program.
  mkdirSync(dirname(cache), { recursive: true });
  const aside = mkdtempSync(`${cache}.building-`);
  const ticking = tick(progress);
  try {
    if (existsSync(program)) return program;
    const logFile = join(aside, 'log');
    const { command, args } = tied(go, ['install', `github.com/temporalio/cli/cmd/temporal@v${version}`], 'SIGKILL');
    const { GOOS: _os, GOARCH: _arch, ...env } = process.env;
    const child = await spawnChild({ command, args, env: { ...env, GOBIN: aside }, cwd: aside, logFile, signal });
    const { code } = await child.exited;
    signal?.throwIfAborted();
    if (code !== 0) throw new Error(readFileSync(logFile, 'utf8').trim().slice(-1500));
    mkdirSync(cache, { recursive: true });
    renameSync(join(aside, 'temporal'), program);
    return program;
  } finally {
    clearInterval(ticking);
    rmSync(aside, { recursive: true, force: true });
    release();
  }
}

function tick(progress: (what: string) => void): NodeJS.Timeout {
  const started = Date.now();
  const say = () =>
    progress(`building the Temporal CLI with Go (once, takes minutes), ${Math.round((Date.now() - started) / 1000)} s`);
  say();
  return setInterval(say, 1000);
}

async function lockWhenFree(
  folder: string,
  progress: Build['progress'],
  signal: AbortSignal | undefined,
): Promise<() => void> {
  for (;;) {
    const lock = tryLock(folder);
    if (lock.held) return lock.release;
    progress(`waiting for pid ${lock.pid}, which builds the Temporal CLI`);
    await sleep(1000, undefined, { signal });
  }
}
