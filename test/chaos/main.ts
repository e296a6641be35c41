/** `npm run chaos -- --faults 200 --seed 7`: injects random faults under load and judges the service from outside. */
import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Form } from '../support/npm-service.ts';
import { formatReport } from './report.ts';
import { runChaos } from './run.ts';

interface Options {
  faults: number;
  seed: number;
  form?: Form;
}

/** Artworks expire during the run, so that their purge meets faults, too. */
const settings = { retention: '5m', webhookSchedule: '0s,1s,2s,5s,10s,20s,30s' };

const program = new Command('chaos')
  .description('inject random faults into the service under load, and judge it from outside')
  .option('--faults <number>', 'faults for each form', positive, 200)
  .option('--seed <number>', 'chooses the faults and the requests; default: at random', positive, randomInt(1, 2 ** 31))
  .addOption(
    new Option('--form <form>', 'the setup to test; default: start, then cluster').choices(['start', 'cluster']),
  )
  .parse();
const { faults, seed, form } = program.opts<Options>();

const reports = [];
for (const one of form ? [form] : (['start', 'cluster'] as const)) {
  console.log(`\n${one}: ${faults} faults with seed ${seed}`);
  reports.push(await runChaos({ ...settings, form: one, faults, seed, log: (line) => console.log(line) }));
}
console.log(`\n${reports.map(formatReport).join('\n\n')}`);
process.exit(reports.every(({ violations }) => violations.length === 0) ? 0 : 1);

function positive(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It must be a positive integer.');
  return number;
}
