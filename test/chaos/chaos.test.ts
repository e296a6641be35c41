/** Ten random faults under load: `npm run chaos` injects more of them, also into a cluster. */
import { expect, jest, test } from '@jest/globals';
import { formatReport } from './report.ts';
import { runChaos } from './run.ts';

jest.setTimeout(600_000);

test('ten random faults cause no violation', async () => {
  const report = await runChaos({
    ...{ form: 'start', faults: 10, seed: 14, log: () => undefined },
    // Long enough for the whole schedule, and for an artwork that waits for a worker on a busy machine.
    ...{ retention: '100s', webhookSchedule: '0s,1s,2s,5s' },
  });
  console.info(formatReport(report));
  expect(report.violations).toEqual([]);
});
