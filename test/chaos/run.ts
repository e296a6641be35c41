/** Runs the service under load and faults, and judges it from outside. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { dataUri } from '../../engines/local/test/photos.ts';
import type { Form } from '../support/npm-service.ts';
import { injectFaults, type Round } from './inject.ts';
import { idsOf, judgeKeyless } from './judge-keyless.ts';
import { judgeLedger } from './judge-ledger.ts';
import { judgeLogs } from './judge-logs.ts';
import { judgePayments, type Payments } from './judge-payments.ts';
import { judgeFiles, judgeRows } from './judge-remains.ts';
import { judgeWorkflows } from './judge-workflows.ts';
import { startLoad } from './load.ts';
import { measureMemory, type Memory } from './memory.ts';
import { createRandom } from './random.ts';
import { type Settings, startSystem, type System } from './system.ts';
import { type Verdict, watchArtwork } from './watch-artwork.ts';

export interface ChaosOptions extends Settings {
  form: Form;
  /** The number of faults. */
  faults: number;
  seed: number;
  log: (line: string) => void;
}

export interface Report {
  form: Form;
  seed: number;
  seconds: number;
  rounds: Round[];
  verdicts: Verdict[];
  /** Synchronous requests that got their result. */
  texts: number;
  events: { received: number; repeated: number };
  violations: string[];
  payments: Payments['totals'];
  memory: Map<string, Memory>;
}

/** The same seed chooses the same faults and requests; their moments depend on the machine. */
export async function runChaos(options: ChaosOptions): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-chaos-'));
  try {
    return await runIn(folder, options);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runIn(folder: string, { form, faults, seed, log, ...settings }: ChaosOptions): Promise<Report> {
  const since = performance.now();
  const image = await smallImage();
  const system = await startSystem({ ...settings, form, folder, random: createRandom(seed) });
  try {
    log(`The service runs (${form}); data: ${system.service.dataFolder}`);
    const memory = measureMemory(system.service);
    const watched: Promise<Verdict>[] = [];
    let open = 0;
    const onCreated = (created: Verdict['created']) => {
      open += 1;
      const failed = (error: unknown): Verdict => ({ created, status: null, violations: [String(error)] });
      watched.push(watchArtwork(system, created, () => void (open -= 1)).catch(failed));
    };
    const load = startLoad({ ...{ system, seed: seed + 2, image, onCreated }, countOpen: () => open });
    const { rounds, problems } = await injectFaults({
      ...{ system, random: createRandom(seed + 1), faults, onCreated },
      onRound: ({ names, recovery }, left) =>
        log(`${faults - left}/${faults} ${names.join(' + ')}: recovered in ${(recovery / 1000).toFixed(1)} s`),
    });
    await load.stop();
    const figures = memory.stop();
    log(`${watched.length} artworks; waiting for their expiry`);
    const verdicts = await Promise.all(watched);
    const payments = judgePayments(system, [
      ...verdicts.map(({ created }) => created),
      ...load.unaccepted,
      ...load.texts.map((marker) => ({ kind: 'text' as const, marker })),
    ]);
    const violations = [
      ...problems,
      ...load.problems,
      ...verdicts.flatMap(({ created: { id, kind }, violations }) => violations.map((one) => `${id} (${kind}) ${one}`)),
      ...payments.violations,
      ...judgeKeyless(system, load.unaccepted),
      ...(await judgeLedger(system, {
        ...{ verdicts, texts: load.texts.length },
        others: new Set([...idsOf(system, load.unaccepted).values()].flatMap((ids) => [...ids])),
      })),
      ...(await judgeRows(system)),
      ...(await judgeFiles(system)),
      ...(await judgeWorkflows(system)),
      ...judgeLogs(system),
    ];
    return {
      ...{ form, seed, seconds: (performance.now() - since) / 1000, rounds, verdicts, texts: load.texts.length },
      ...{ violations, events: countEvents(system, verdicts), payments: payments.totals, memory: figures },
    };
  } finally {
    await system.stop();
  }
}

function countEvents({ receiver: { received } }: System, verdicts: readonly Verdict[]): Report['events'] {
  const redelivered = new Set(
    verdicts.filter(({ created }) => created.action === 'redeliver').map(({ created }) => created.id),
  );
  const once = received.filter(({ event }) => !redelivered.has(event.id));
  return { received: received.length, repeated: once.length - new Set(once.map(({ event }) => event.id)).size };
}

/** Returns an image as a data URI. */
async function smallImage(): Promise<string> {
  const create = { width: 64, height: 64, channels: 3, background: 'green' } as const;
  return dataUri(await sharp({ create }).png().toBuffer());
}
