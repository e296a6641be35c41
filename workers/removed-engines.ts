/**
 * Polls the queues of engines that are in no running worker's engines file. The activity runs their calls at the engine to
 * which their model is bound.
 */
import type { Worker } from '@temporalio/worker';
import type { Logger } from '../activities/dependencies.ts';
import type { Catalogue } from '../engines/catalogue.ts';
import { findRemovedEngines, renewConfiguredEngines } from '../store/configured-engines.ts';
import type { Database } from '../store/database.ts';
import { repeat, type Repetition } from './repeat.ts';

interface Options {
  db: Database;
  catalogue: Catalogue;
  log: Logger;
  /** Creates a worker for the queue of a removed engine. Undefined in a process that runs no engines. */
  createWorker: ((engine: string) => Promise<Worker>) | undefined;
}

/** Milliseconds between two rounds. */
const pause = 2500;

export function serveRemovedEngines({ db, catalogue, log, createWorker }: Options): Repetition {
  const own = [...catalogue.engines].flatMap(([name, { limits }]) => (limits ? [name] : []));
  const serving = new Map<string, { worker: Worker; running: Promise<void> }>();

  const serve = async (engine: string, create: NonNullable<Options['createWorker']>) => {
    const worker = await create(engine);
    log.warn({ engine }, 'This engine is in no engines file: its calls move to other engines');
    const running = worker
      .run()
      .catch((err: unknown) => log.error({ err, engine }, 'A worker of a removed engine failed'))
      .finally(() => serving.delete(engine));
    serving.set(engine, { worker, running });
  };
  const end = ({ worker, running }: { worker: Worker; running: Promise<void> }) => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    return running;
  };
  const rounds = repeat(log, pause, async () => {
    await renewConfiguredEngines(db, own);
    if (!createWorker) return;
    const removed = new Set((await findRemovedEngines(db)).filter((name) => !own.includes(name)));
    for (const [engine, served] of serving) if (!removed.has(engine)) void end(served);
    for (const engine of removed) if (!serving.has(engine)) await serve(engine, createWorker);
  });
  return {
    async stop() {
      await rounds.stop();
      await Promise.all([...serving.values()].map(end));
    },
  };
}
