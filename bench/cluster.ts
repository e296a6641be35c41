/** Measures the service as a cluster, in turn with the service of `npm start`, with an engine that takes no time. */
import { startTestCluster } from '../test/support/cluster.ts';
import { startReceiver } from '../test/support/receiver.ts';
import { type Stack, startStack } from '../test/support/stack.ts';
import { instantWorker } from '../test/support/timed.ts';
import { type Backends, serversOf } from './backends.ts';
import { printFigures, printTimes } from './figures.ts';
import { load, type Times } from './load.ts';

const rounds = 3;
const atRest = 50;
const underLoad = 400;
const clients = 40;

export async function benchCluster(backends: Backends): Promise<void> {
  const [cluster, receiver] = await Promise.all([startTestCluster(), startReceiver()]);
  const options = { workerEntry: instantWorker, env: { ATELIER_LOG_LEVEL: 'warn' } };
  const stacks: Record<string, Stack> = {
    'as npm start': await startStack({ ...serversOf(backends), ...options }),
    cluster: await startStack({ ...cluster, cluster: cluster.env, ...options }),
  };
  try {
    const measured = Object.entries(stacks).map(([name, stack]) => ({ name, stack, runs: [] as Measured[] }));
    for (let round = 0; round <= rounds; round += 1) {
      for (const { stack, runs } of measured) {
        const calm = await load(stack, receiver, { count: atRest, atOnce: 1, pause: 50 });
        const busy = await load(stack, receiver, { count: underLoad, atOnce: clients });
        // The first round warms up.
        if (round > 0) runs.push({ calm, busy });
      }
    }
    for (const { name, runs } of measured) {
      printTimes({
        [`${name}: 202, at rest`]: runs.flatMap(({ calm }) => calm.accept),
        [`${name}: accepted → webhook, at rest`]: runs.flatMap(({ calm }) => calm.webhook),
        [`${name}: 202, ${clients} at once`]: runs.flatMap(({ busy }) => busy.accept),
        [`${name}: accepted → webhook, ${clients} at once`]: runs.flatMap(({ busy }) => busy.webhook),
      });
      const rates = runs.map(({ busy }) => ((underLoad / busy.all) * 1000).toFixed(1));
      printFigures({ [`${name}: artworks/s`]: rates.join(', ') });
    }
  } finally {
    await Promise.all(Object.values(stacks).map((stack) => stack.stop()));
    await receiver.close();
    await cluster.stop();
  }
}

interface Measured {
  calm: Times;
  busy: Times;
}
