/** Starts a child process that writes to a log file, and stops it within a deadline. */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { sizeOf } from './log-tail.ts';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface StopOptions {
  /** Null sends none: the process is ending already. */
  signal?: NodeJS.Signals | null;
  /** Milliseconds before the process is killed. */
  deadline?: number;
}

/** A running child process. */
export interface Running {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Resolves when the process reports that it finishes its work and then ends, and that another one can start. */
  readonly draining?: Promise<void>;
  stop(options?: StopOptions): Promise<void>;
}

export interface Child extends Running {
  readonly logFile: string;
  /** The position in the log file where its output begins. */
  readonly logStart: number;
  readonly process: ChildProcess;
}

export interface ChildOptions {
  command: string;
  args: string[];
  logFile: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number;
  gid?: number;
  /** Whether other users can read the files that it creates. Default: false. */
  sharesFiles?: boolean;
  /** Whether to open an IPC channel, so that the child notices when this process dies. */
  ipc?: boolean;
  signal?: AbortSignal | undefined;
}

// Children to kill if this process exits without having stopped them.
const living = new Set<number>();
process.once('exit', () => living.forEach(killGroup));

/** Resolves when the process runs. Aborting the signal kills it. */
export async function spawnChild(options: ChildOptions): Promise<Child> {
  const { command, args, logFile, sharesFiles = false, ipc, signal, ...rest } = options;
  signal?.throwIfAborted();
  mkdirSync(dirname(logFile), { recursive: true, mode: 0o700 });
  // The child writes to the file itself, because a pipe would break and end the child when this process dies.
  const logStart = sizeOf(logFile);
  const log = openSync(logFile, 'a', 0o600);
  try {
    const start = sharesFiles ? spawn : spawnPrivately;
    const child = start(command, args, {
      ...rest,
      stdio: ['ignore', log, log, ...(ipc === true ? (['ipc'] as const) : [])],
      // A group of its own, so that Ctrl-C does not reach it: we stop the children in our own order.
      detached: true,
    });
    const exited = new Promise<Exit>((resolve) => child.once('exit', (code, by) => resolve({ code, signal: by })));
    await once(child, 'spawn');
    const pid = child.pid as number;
    const kill = () => killGroup(pid);
    living.add(pid);
    signal?.addEventListener('abort', kill);
    void exited.then(() => {
      living.delete(pid);
      signal?.removeEventListener('abort', kill);
    });
    return { process: child, pid, logFile, logStart, exited, stop: (how) => stop(child, exited, how) };
  } finally {
    closeSync(log);
  }
}

/** Starts a child whose files only their owner can read: it inherits the mask that this process has at that moment. */
function spawnPrivately(command: string, args: string[], options: SpawnOptions): ChildProcess {
  const mask = process.umask(0o077);
  try {
    return spawn(command, args, options);
  } finally {
    process.umask(mask);
  }
}

async function stop(child: ChildProcess, exited: Promise<Exit>, { signal, deadline }: StopOptions = {}): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (signal !== null) child.kill(signal ?? 'SIGTERM');
  const timer = setTimeout(() => killGroup(child.pid as number), deadline ?? 10_000);
  await exited;
  clearTimeout(timer);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
