/** Supervises the processes of the service: restarts them, reports restarts, and stops them in order. */
import type { Running } from './child.ts';
import { followLog, lastLines } from './log-tail.ts';
import { showErrors } from './log-errors.ts';
import type { Register } from './register.ts';
import { supervise, type Supervised, type SupervisorEvent } from './supervisor.ts';
import type { Terminal } from './terminal.ts';

export interface Part<R extends Running> {
  name: string;
  title: string;
  logFile: string;
  start: (signal: AbortSignal) => Promise<R>;
}

export interface Parts {
  /** Resolves when the part has started for the first time. */
  add<R extends Running>(part: Part<R>): Promise<R>;
  pid(name: string): number | null;
  /** Sets the function to call when a pid has changed. */
  onChange(listener: () => void): void;
  /** Stops these parts. @param hurry whether to send SIGKILL at once */
  stop(names: readonly string[], hurry: boolean): Promise<void>;
  /** Stops all parts in order. Afterwards, `add` throws. */
  stopAll(hurry: boolean): Promise<void>;
}

/** Milliseconds before SIGKILL: longer than an API takes to complete a synchronous request of a minute. */
const stopTimeout = 80_000;

/** @param stopOrder groups of names, which are stopped one after another */
export function createParts(register: Register, terminal: Terminal, stopOrder: readonly (readonly string[])[]): Parts {
  const supervised = new Map<string, Supervised<Running>>();
  const pids = new Map<string, number>();
  let changed = () => {};
  let stopping = false;

  const show = (title: string, logFile: string, event: SupervisorEvent<Running>) => {
    switch (event.kind) {
      case 'up':
        if (event.restarted) terminal.line(`✓ ${title} restarted after ${event.seconds.toFixed(1)} s`);
        break;
      case 'down':
        terminal.line(`! ${title} ${event.why}; restarting it`);
        if (event.failures === 3 || (event.failures > 3 && event.failures % 10 === 0))
          terminal.line(`  It keeps failing. The end of ${logFile}:\n${lastLines(logFile)}`);
        break;
      case 'draining':
        terminal.line(`  ${title} ${event.running.pid} finishes its work; starting the next one`);
        break;
      case 'drained':
        terminal.line(
          event.why === null
            ? `✓ ${title} ${event.running.pid} has finished its work`
            : `! ${title} ${event.running.pid} ${event.why}`,
        );
    }
  };

  const record = (name: string, { kind, ...event }: SupervisorEvent<Running>) => {
    if (!('running' in event)) return;
    const { pid } = event.running;
    const draining = `${name} (draining, ${pid})`;
    if (kind === 'up') {
      pids.set(name, pid);
      register.add(name, pid);
      changed();
    } else if (kind === 'draining') {
      register.remove(name);
      register.add(draining, pid);
    } else {
      register.remove(draining);
    }
  };

  const stop = async (names: readonly string[], hurry: boolean) => {
    const how = hurry ? ({ signal: 'SIGKILL', deadline: 1000 } as const) : { deadline: stopTimeout };
    await Promise.all(names.map(async (name) => await supervised.get(name)?.stop(how)));
  };

  return {
    pid: (name) => pids.get(name) ?? null,
    onChange: (listener) => (changed = listener),
    add: async <R extends Running>({ name, title, logFile, start }: Part<R>) => {
      if (stopping) throw new Error(`${title} cannot start: the service is stopping`);
      const unfollow = followLog(logFile, showErrors(name, logFile, terminal));
      const part = supervise<R>({
        start,
        onEvent: (event) => {
          show(title, logFile, event);
          record(name, event);
        },
      });
      supervised.set(name, {
        ready: part.ready,
        stop: async (how) => {
          unfollow();
          await part.stop(how);
        },
      });
      return await part.ready;
    },
    stop,
    stopAll: async (hurry) => {
      stopping = true;
      for (const names of stopOrder) await stop(names, hurry);
    },
  };
}
