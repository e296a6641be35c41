/** Child processes that handle one message at a time, and can be ended while they do. */
import { type ChildProcess, fork } from 'node:child_process';

export interface ProcessPool<Message, Reply> {
  /**
   * Sends a message to a free process and returns its reply. Ends the process when the signal aborts.
   * @throws the signal's reason, or `ProcessEnded` when the process ends without a reply
   */
  run(message: Message, signal: AbortSignal): Promise<Reply>;
  /** Ends all processes. Running and waiting messages fail. */
  close(): Promise<void>;
}

/** A process has ended without a reply. */
export class ProcessEnded extends Error {
  override readonly name = 'ProcessEnded';
  /** Whether SIGKILL has ended it, as the kernel does when memory is short. */
  readonly isKilled: boolean;

  constructor(signal: NodeJS.Signals | null) {
    super(`The process ended without a reply (${signal ?? 'exit'})`);
    this.isKilled = signal === 'SIGKILL';
  }
}

interface PoolOptions<Reply> {
  entry: URL;
  /** Maximum number of processes. They start when they are needed. */
  size: number;
  /** Milliseconds after which an unused process ends. */
  idleTimeout: number;
  /** Returns whether the process that sent a reply should end. */
  isLast(reply: Reply): boolean;
}

export function createProcessPool<Message extends object, Reply>(
  options: PoolOptions<Reply>,
): ProcessPool<Message, Reply> {
  const all = new Set<ChildProcess>();
  const idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  const closing = new AbortController();
  let running = 0;

  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (running < options.size) {
      running++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      const place = waiting.indexOf(resolve);
      // Without a place, the slot has been passed.
      if (place < 0) return;
      waiting.splice(place, 1);
      reject(signal.reason as Error);
    };
    waiting.push(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  /** Passes the slot to the next message that waits. */
  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  function start(): ChildProcess {
    const child = fork(options.entry, {
      serialization: 'advanced',
      // Untrusted bytes do not meet the keys and passwords of the service.
      env: mallocSettings(),
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    all.add(child);
    child.once('close', () => all.delete(child));
    // An idle process may fail, too.
    child.on('error', () => undefined);
    return child;
  }

  function takeIdle(): ChildProcess | null {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.child.connected && !last.child.killed && last.child.exitCode === null && last.child.signalCode === null)
        return last.child;
    }
    return null;
  }

  function keep(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    const timer = setTimeout(() => child.kill('SIGKILL'), options.idleTimeout).unref();
    idle.push({ child, timer });
  }

  return {
    async run(message, caller) {
      const signal = AbortSignal.any([caller, closing.signal]);
      await enter(signal);
      try {
        const child = takeIdle() ?? start();
        const reply = await exchange<Reply>(child, message, signal);
        if (options.isLast(reply)) child.kill('SIGKILL');
        else keep(child);
        return reply;
      } finally {
        leave();
      }
    },
    async close() {
      closing.abort(new Error('The processes are closed'));
      const ended = [...all].map((child) => new Promise((resolve) => child.once('close', resolve)));
      for (const child of all) {
        child.ref();
        child.kill('SIGKILL');
      }
      await Promise.all(ended);
    },
  };
}

/** Returns the settings of glibc's allocator, without which a process does not return memory. */
function mallocSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('MALLOC_')));
}

/** Sends a message and waits for the reply. A process that does not reply is ended. */
function exchange<Reply>(child: ChildProcess, message: object, signal: AbortSignal): Promise<Reply> {
  child.ref();
  child.channel?.ref();
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const abort = () => reject(signal.reason as Error);
  const exit = (_code: number | null, cause: NodeJS.Signals | null) => reject(new ProcessEnded(cause));
  child.once('message', (reply) => resolve(reply as Reply));
  child.once('exit', exit);
  child.once('error', reject);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  // The exit of the process follows an error of its channel.
  else child.send(message, (error) => error && child.kill('SIGKILL'));
  return promise
    .catch((error: unknown) => {
      child.kill('SIGKILL');
      throw error;
    })
    .finally(() => {
      child.removeAllListeners('message').off('exit', exit).off('error', reject);
      signal.removeEventListener('abort', abort);
    });
}
