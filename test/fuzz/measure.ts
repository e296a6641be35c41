/** Runs a parser once, and measures its CPU time. Time on a clock would depend on the load of the machine. */
import type { Parser } from './parser.ts';
import type { Watchdog } from './watchdog.ts';

/** A parser broke a rule with an input. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** Milliseconds of CPU time for an input, unless its parser needs more, and for each of its characters. */
const [usualBase, perCharacter] = [100, 0.002];

/** Attempts before an input counts as slow: a collection of garbage or a compilation may fall into the first one. */
const attempts = 3;

/** @returns milliseconds of CPU time @throws Violation when the parser throws an error that it does not document */
async function timeOf({ parse, mayThrow }: Parser, input: string, watchdog: Watchdog): Promise<number> {
  const before = process.cpuUsage();
  watchdog.begin(input);
  try {
    await parse(input);
  } catch (error) {
    if (error instanceof Violation || !mayThrow?.(error)) {
      throw new Violation(`throws ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  } finally {
    watchdog.end();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns the shortest of several attempts, as soon as one is not longer than `limit`. */
export async function shortestTime(parser: Parser, input: string, watchdog: Watchdog, limit: number): Promise<number> {
  let shortest = Infinity;
  for (let attempt = 0; attempt < attempts && shortest > limit; attempt++) {
    shortest = Math.min(shortest, await timeOf(parser, input, watchdog));
  }
  return shortest;
}

/** @throws Violation when the parser takes too long, or throws an error that it does not document */
export async function requireQuick(parser: Parser, input: string, watchdog: Watchdog): Promise<void> {
  const limit = (parser.base ?? usualBase) + perCharacter * input.length;
  const time = await shortestTime(parser, input, watchdog, limit);
  if (time > limit) throw new Violation(`takes ${Math.round(time)} ms of CPU time for ${input.length} characters`);
}
