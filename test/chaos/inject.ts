/** Injects the faults of a run, one or two at a time, and measures how soon a new artwork succeeds after each. */
import { setTimeout as delay } from 'node:timers/promises';
import { send } from './client.ts';
import { type Fault, faultsOf } from './faults.ts';
import { type Created, acceptedOf } from './load.ts';
import { newMarker } from './marker.ts';
import type { Random } from './random.ts';
import type { System } from './system.ts';

/** A fault, or two at the same time, and the recovery from it. */
export interface Round {
  names: string[];
  /** Epoch milliseconds of the first begin and the last end. */
  from: number;
  to: number;
  /** Milliseconds from the end of the last fault until a new artwork has succeeded. */
  recovery: number;
}

/** The rounds, and the failures to begin a fault, to end it, or to recover from it, each of which is a violation. */
interface Injected {
  rounds: Round[];
  problems: string[];
}

interface Options {
  system: System;
  random: Random;
  /** The number of faults. */
  faults: number;
  onCreated: (created: Created) => void;
  onRound: (round: Round, faultsLeft: number) => void;
}

export async function injectFaults({ system, random, faults, onCreated, onRound }: Options): Promise<Injected> {
  const all = faultsOf(system);
  const rounds: Round[] = [];
  const problems: string[] = [];
  for (let left = faults; left > 0;) {
    const chosen = pickFaults(all, left > 1 && random.chance(0.2) ? 2 : 1, random);
    await delay(random.between(0, 2000));
    const from = Date.now();
    const names = chosen.map(({ name }) => name);
    const failed = (error: unknown) => void problems.push(`${names.join(' + ')}: ${String(error)}`);
    await Promise.all(
      chosen.map((fault) => runFault(fault, random.between(500, Math.max(500, fault.longest))).catch(failed)),
    );
    const to = Date.now();
    await probe(system, { marker: newMarker(random), key: random.hex(32) }, onCreated).catch(failed);
    const round = { names, from, to, recovery: Date.now() - to };
    rounds.push(round);
    left -= chosen.length;
    onRound(round, left);
  }
  return { rounds, problems };
}

/** Picks the target first, because some have many faults. */
function pickFaults(all: readonly Fault[], count: number, random: Random): Fault[] {
  const targets = Map.groupBy(all, ({ target }) => target);
  return Array.from({ length: count }, () => {
    const target = random.pick([...targets.keys()]);
    const fault = random.pick(targets.get(target) ?? []);
    targets.delete(target);
    return fault;
  });
}

async function runFault({ longest, begin }: Fault, milliseconds: number): Promise<void> {
  const end = await begin();
  if (longest > 0) await delay(milliseconds);
  await end();
}

/** Milliseconds for an artwork after a fault. */
const longestRecovery = 120_000;

/** Creates an artwork of the embedded engines, and waits until it has succeeded. */
async function probe(
  system: System,
  { marker, key }: { marker: string; key: string },
  onCreated: Options['onCreated'],
): Promise<void> {
  const deadline = Date.now() + longestRecovery;
  const body = {
    ...{ prompt: `a boat on a lake, ${marker}`, width: 256, height: 256, nsfw: true },
    webhookUrl: system.receiver.url,
  };
  const path = '/v2/artworks/selena';
  const accepted = acceptedOf(await send(system, { method: 'POST', path, body, idempotencyKey: key }));
  onCreated({ ...accepted, kind: 'embedded', marker, action: null });
  for (;;) {
    const { body: artwork } = await send(system, { path: `/v2/artworks/${accepted.id}` });
    if (artwork['status'] === 'SUCCEEDED') return;
    if (artwork['status'] === 'FAILED' || Date.now() > deadline)
      throw new Error(`${accepted.id}, created after a fault, is ${String(artwork['status'])}`);
    await delay(100);
  }
}
