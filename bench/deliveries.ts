/** Measures the delay and the rate of deliveries, with and without another receiver that hangs. */
import { type Backends, serversOf } from './backends.ts';
import { create } from '../test/support/client.ts';
import { eventually } from '../test/support/eventually.ts';
import { type Receiver, startReceiver } from '../test/support/receiver.ts';
import { startStack } from '../test/support/stack.ts';
import { printFigures, printTimes } from './figures.ts';
import { load, type Times } from './load.ts';

const warmUp = 100;
const atRest = 200;
const underLoad = 500;
const clients = 40;
/** Maximum number of hanging deliveries of a worker to one host. */
const hangAtOnce = 10;
const hangingEvents = 100;
/** Artworks created concurrently for the hanging receiver. */
const batchSize = 10;

export async function benchDeliveries(backends: Backends): Promise<void> {
  const [receiver, hanging] = await Promise.all([startReceiver(), startReceiver(() => undefined)]);
  const stack = await startStack({
    ...serversOf(backends),
    workerEntry: 'test/support/instant-worker.ts',
    env: { ATELIER_LOG_LEVEL: 'warn' },
  });
  try {
    await load(stack, receiver, { count: warmUp, atOnce: clients });
    const calm = await load(stack, receiver, { count: atRest, atOnce: 1, pause: 50 });
    const busy = await load(stack, receiver, { count: underLoad, atOnce: clients });
    const body = { prompt: 'a boat', webhookUrl: hanging.url };
    for (let made = 0; made < hangingEvents; made += batchSize) {
      await Promise.all(Array.from({ length: batchSize }, () => create(stack, body)));
    }
    await eventually(() => {
      if (hanging.received.length < hangAtOnce) throw new Error(`Only ${hanging.received.length} deliveries hang`);
    });
    const beside = await load(stack, receiver, { count: underLoad, atOnce: clients });
    printTimes({
      'end → receiver, at rest': lags(receiver, calm),
      [`end → receiver, ${clients} at once`]: lags(receiver, busy),
      'the same, while another host hangs': lags(receiver, beside),
    });
    console.log();
    printFigures({
      'deliveries/s': perSecond(busy),
      'the same, while another host hangs': `${perSecond(beside)} (${hanging.received.length} attempts hung)`,
    });
  } finally {
    await stack.stop();
    await Promise.all([receiver.close(), hanging.close()]);
  }
}

/** Milliseconds from an artwork's end to the arrival of its event. */
function lags({ received }: Receiver, { ids }: Times): number[] {
  const mine = new Set(ids);
  return received
    .filter(({ event }) => mine.has(event.id))
    .map(({ event, at }) => Math.max(at - Date.parse(String(event['finishedAt'])), 0));
}

const perSecond = ({ ids, all }: Times) => ((ids.length / all) * 1000).toFixed(1);
