/** Checks that four times the input takes about four times the time, for inputs that are one long run. */
import { units } from './inputs.ts';
import { shortestTime, Violation } from './measure.ts';
import { type Parser, usualLength } from './parser.ts';
import type { Watchdog } from './watchdog.ts';

/** Milliseconds of CPU time below which a time says nothing. */
const minTime = 50;

/** Ratio of the times for inputs of which one is four times as long. It is 4 for linear time, and 16 for quadratic time. */
const maxTimeRatio = 10;

/** Yields the inputs of both lengths. */
function* runs({ examples, seeds = [], longest = usualLength }: Parser): Generator<[shorter: string, longer: string]> {
  const starts = [...examples, ...seeds].slice(0, 3);
  const heads = ['', ...starts.flatMap((start) => [start, start.slice(0, start.length / 2)])];
  for (const head of new Set(heads.map((text) => text.slice(0, longest / 8)))) {
    for (const unit of units) {
      for (const tail of ['', '\0!']) {
        const most = Math.floor((longest - head.length - tail.length) / unit.length);
        yield [head + unit.repeat(most / 4) + tail, head + unit.repeat(most) + tail];
      }
    }
  }
}

interface Times {
  shorter: number;
  longer: number;
}

/** @param isChosen returns whether a run is tested @throws Violation when the time grows like the square of the length */
export async function requireLinear(parser: Parser, watchdog: Watchdog, isChosen: () => boolean): Promise<void> {
  const time = (input: string, limit: number) => shortestTime(parser, input, watchdog, limit);
  const [example = ''] = [...parser.examples].sort((a, b) => a.length - b.length);
  // The time that every input takes, such as for the compilation of a schema.
  let fixed = await time(example, 0);
  /** Returns milliseconds for both inputs if they grow too fast. */
  const findGrowth = async (shorter: string, longer: string): Promise<Times | null> => {
    const long = (await time(longer, fixed + minTime)) - fixed;
    if (long < minTime) return null;
    const short = Math.max((await time(shorter, 0)) - fixed, 1);
    return long / short > maxTimeRatio ? { shorter: short, longer: long } : null;
  };
  for (const [shorter, longer] of runs(parser)) {
    if (!isChosen() || !(await findGrowth(shorter, longer))) continue;
    // Measured again, because the process may have become slower.
    fixed = await time(example, 0);
    const times = await findGrowth(shorter, longer);
    if (!times) continue;
    const measured = `${times.shorter.toFixed(1)} ms for ${shorter.length} characters, ${times.longer.toFixed(1)} ms for ${longer.length}`;
    throw new Violation(
      `takes time that grows faster than its input, ${measured}: ${JSON.stringify(longer.slice(0, 200))}`,
    );
  }
}
