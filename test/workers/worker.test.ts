/** The options of workers that limit each other in Temporal's SDK. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NativeConnection } from '@temporalio/worker';
import { createCatalogue } from '../../engines/catalogue.ts';
import { bundleWorkflows } from '../../workers/bundle.ts';
import { createWorkers } from '../../workers/worker.ts';
import { shared } from '../support/shared.ts';

let connection: NativeConnection;
beforeAll(async () => {
  connection = await NativeConnection.connect({ address: shared().temporalAddress });
});
afterAll(() => connection.close());

test('the cache of workflows is large enough for all workflow task slots', async () => {
  const bindings = { models: {}, sources: {} };
  const none = () => Promise.resolve(null);
  const done = () => Promise.resolve();
  const deliver = () => Promise.resolve({ result: 'done' as const });
  const [worker] = await createWorkers({
    connection,
    namespace: 'default',
    taskQueue: 'options',
    roles: new Set(['workflows', 'deliveries']),
    workflowBundle: await bundleWorkflows(),
    activities: {
      ...{ begin: none, finish: none, deliver, deliverSlowly: deliver },
      ...{ purge: done, purgeFile: done, perform: done },
    },
    catalogue: createCatalogue(bindings, bindings),
    permits: new Map(),
  });
  const { tuner, maxCachedWorkflows } = worker!.options;
  expect(tuner.workflowTaskSlotSupplier).toEqual({ type: 'fixed-size', numSlots: maxCachedWorkflows });
  // A worker that never runs would keep its connection open.
  await worker!.runUntil(Promise.resolve());
});
