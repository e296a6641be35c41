/**
 * Sends hostile inputs to every parser of one table, in a process whose memory is limited:
 * `node --max-old-space-size=256 test/fuzz/main.ts TABLE SEED ITERATIONS [PARSER]`. Prints one line for each violation.
 */
import fc from 'fast-check';
import { requireLinear } from './growth.ts';
import { hostileInput } from './inputs.ts';
import { requireQuick, Violation } from './measure.ts';
import { type Parser, usualLength } from './parser.ts';
import { measurePeakMemory } from './peak-memory.ts';
import { broken, tables } from './tables.ts';
import { startWatchdog, type Watchdog } from './watchdog.ts';

/** Megabytes by which the memory of the process may grow while it runs one parser. */
const maxMemoryGrowth = 500;

/** Milliseconds for each input of a parser. An idle machine needs a few. */
const timePerInput = 80;
/** Milliseconds for the inputs of a parser, however few. */
const minTimeout = 20_000;

/** A quick test takes one of this many runs, of which each parser has about 600. */
const quickInterval = 15;
/** Iterations from which every run is tested. */
const thorough = 1000;

const { table, seed, iterations, only } = readArguments(process.argv.slice(2));
const watchdog = startWatchdog();
const { open } = await table();
const { parsers, close } = await open();
const chosen = Object.entries(parsers).filter(([name]) => only === undefined || only === name);
if (chosen.length === 0) fail(`PARSER is one of ${Object.keys(parsers).join(', ')}`);
const violations: string[] = [];
for (const [name, parser] of chosen) {
  watchdog.name(name);
  const violation = await test(parser, watchdog).catch((error: unknown) => {
    if (error instanceof Violation) return error.message;
    throw error;
  });
  if (violation !== null) violations.push(`${name} ${violation}`);
}
await close();
await watchdog.close();
for (const violation of violations) console.log(violation);
process.exitCode = violations.length === 0 ? 0 : 1;

/** Returns how the parser breaks a rule, or null. */
async function test(parser: Parser, watchdog: Watchdog): Promise<string | null> {
  const { examples, seeds = [], longest = usualLength, share = 1 } = parser;
  const memoryGrowth = measurePeakMemory();
  const accepting = { ...parser, mayThrow: () => false };
  for (const example of examples) {
    await requireQuick(accepting, example, watchdog).catch((error: unknown) => {
      throw new Violation(`rejects its example: ${String(error)}`);
    });
  }
  const timeout = Math.max(minTimeout, timePerInput * iterations);
  const inputs = hostileInput([...examples, ...seeds], longest);
  const property = fc.asyncProperty(inputs, (input) => requireQuick(parser, input, watchdog));
  const found = await fc.check(property, {
    seed,
    numRuns: Math.ceil(iterations * share),
    interruptAfterTimeLimit: timeout,
    markInterruptAsFailure: true,
  });
  if (found.interrupted) return `was interrupted after ${timeout / 1000} s and ${found.numRuns} inputs`;
  if (found.failed) {
    const cause = found.errorInstance instanceof Error ? found.errorInstance.message : String(found.errorInstance);
    return `${cause}\n  input (seed ${seed}): ${JSON.stringify(found.counterexample?.[0].slice(0, 500))}`;
  }
  // An odd interval, because each run comes in two forms.
  const interval = 2 * Math.ceil((iterations < thorough ? quickInterval : 1) / share / 2) - 1;
  let at = seed;
  await requireLinear(parser, watchdog, () => at++ % interval === 0);
  const growth = memoryGrowth();
  return growth > maxMemoryGrowth ? `takes ${Math.round(growth)} MB of memory` : null;
}

function readArguments([name = '', seed = '1', iterations = '100', only]: string[]) {
  const known: Readonly<Record<string, typeof broken>> = { ...tables, broken };
  const table = known[name] ?? fail(`TABLE is one of ${Object.keys(known).join(', ')}`);
  for (const number of [seed, iterations]) if (!/^\d+$/.test(number)) fail('SEED and ITERATIONS are numbers');
  return { table, seed: Number(seed), iterations: Number(iterations), only };
}

function fail(message: string): never {
  console.error(`Usage: main.ts TABLE SEED ITERATIONS [PARSER]. ${message}.`);
  process.exit(2);
}
