/** Ends the process when one input keeps it busy, from a thread of its own: the parser itself cannot be interrupted. */
import { Worker } from 'node:worker_threads';

export interface Watchdog {
  /** Names the parser whose inputs follow. */
  name(parser: string): void;
  begin(input: string): void;
  end(): void;
  close(): Promise<void>;
}

/** Milliseconds of CPU time for one input. */
const limit = 20_000;

/** Characters of the input that a report contains. */
const shown = 300;

/** Slots of the shared memory. */
const [serial, length, text] = [0, 1, 2];

/** Evaluated in the thread, which shares nothing else with this module. */
const source = `
  const { workerData: memory } = require('node:worker_threads');
  const { writeSync } = require('node:fs');
  const view = new Int32Array(memory);
  let [seen, began] = [0, 0];
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    const [now, current] = [(user + system) / 1000, Atomics.load(view, ${serial})];
    if (current !== seen || current % 2 === 0) [seen, began] = [current, now];
    else if (now - began > ${limit}) {
      const input = String.fromCharCode(...view.slice(${text}, ${text} + view[${length}]));
      writeSync(2, 'takes more than ${limit / 1000} s of CPU time for ' + input);
      process.kill(process.pid, 'SIGKILL');
    }
  }, 200);
`;

export function startWatchdog(): Watchdog {
  const memory = new SharedArrayBuffer((text + 2 * shown) * Int32Array.BYTES_PER_ELEMENT);
  const view = new Int32Array(memory);
  const thread = new Worker(source, { eval: true, workerData: memory });
  thread.unref();
  let parser = '';
  return {
    name(next) {
      parser = next;
    },
    begin(input) {
      const report = `${parser}: ${JSON.stringify(input.slice(0, shown))}`.slice(0, 2 * shown);
      for (let at = 0; at < report.length; at++) view[text + at] = report.charCodeAt(at);
      view[length] = report.length;
      // Odd while an input is parsed.
      Atomics.add(view, serial, 1);
    },
    end: () => void Atomics.add(view, serial, 1),
    close: async () => void (await thread.terminate()),
  };
}
