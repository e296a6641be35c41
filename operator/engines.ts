/** `operator engines …`: what models are bound to, what providers allow and do, and a stop for each of them. */
import { Command } from 'commander';
import { type Config, readKey } from '../config.ts';
import type { Bindings } from '../engines/catalogue.ts';
import { embedded } from '../engines/embedded.ts';
import { readEngines } from '../engines/read.ts';
import { countRunning, listEngineStates, pauseEngine } from '../store/admissions.ts';
import { type Context, print } from './print.ts';
import { queueLengths } from './queues.ts';

/** Milliseconds that a provider may take to answer a check. */
const patience = 20_000;

export function engineCommands(context: Context & { config: Config }): Command {
  const { db, config } = context;
  const engines = new Command('engines').description('models and their engines, limits and queues; pause and resume');
  const read = (file = config.enginesFile): Promise<Bindings> => {
    const own = embedded(config.language);
    return file === null ? Promise.resolve(own) : readEngines(file, own, readKey);
  };
  engines
    .command('check')
    .description('check the file of ATELIER_ENGINES, or another, and show what each model is bound to')
    .option('--file <file>', 'in place of ATELIER_ENGINES')
    .option('--live', 'send each provider the cheapest possible call')
    .action(async ({ file, live = false }: { file?: string; live?: boolean }) => {
      const { models, sources } = await read(file);
      const bound = Object.entries(models).map(([model, { task, bindings }]) => ({
        model,
        task,
        engines: bindings.map(({ engine, priceClass }) => (priceClass ? `${engine} (${priceClass})` : engine)),
      }));
      const answers = live ? await askAll(sources) : [];
      if (context.isJson() && live) return print(context, { models: bound, engines: answers });
      print(context, bound);
      if (live) print(context, answers);
    });
  engines
    .command('list')
    .description('engines with their limits, what they are at work on, and how many calls wait for them')
    .action(async () => {
      const { sources } = await read();
      const now = new Date();
      const [states, running, waiting] = await Promise.all([
        listEngineStates(db),
        countRunning(db, now),
        queueLengths(config, Object.keys(sources)),
      ]);
      const rows = Object.entries(sources).map(([name, { limits }]) => {
        const state = states.find((one) => one.name === name);
        return {
          engine: name,
          waiting: waiting.get(name) ?? null,
          running: limits?.concurrent === undefined ? null : (running.get(name) ?? 0),
          perSecond: limits?.perSecond ?? null,
          concurrent: limits?.concurrent ?? null,
          pausedAt: state?.pausedAt?.toISOString() ?? null,
          heldUntil: state?.heldUntil && state.heldUntil > now ? state.heldUntil.toISOString() : null,
        };
      });
      print(context, rows);
    });
  for (const [verb, description] of [
    ['pause', 'let no more calls begin; artworks wait or go to the next engine, running calls go on'],
    ['resume', 'let calls begin again, within half a minute'],
  ] as const) {
    engines
      .command(verb)
      .description(description)
      .argument('<engine>')
      .action(async (name: string) => {
        const { sources } = await read();
        if (!sources[name]?.limits) {
          const known = Object.keys(sources).filter((one) => sources[one]?.limits);
          throw new Error(
            `There is no provider's engine ${name}. There ${known.length > 0 ? `are: ${known.join(', ')}` : 'is none'}`,
          );
        }
        const pausedAt = verb === 'pause' ? new Date() : null;
        await pauseEngine(db, name, pausedAt);
        print(context, { engine: name, pausedAt: pausedAt?.toISOString() ?? null });
      });
  }
  return engines;
}

/** Sets the exit code when a provider cannot be used. */
async function askAll(sources: Bindings['sources']): Promise<{ engine: string; answers: string }[]> {
  const providers = Object.entries(sources).filter(([, { limits }]) => limits);
  return Promise.all(
    providers.map(async ([name, { load }]) => {
      const engine = await load();
      try {
        await engine.ping?.(AbortSignal.timeout(patience));
        return { engine: name, answers: 'yes' };
      } catch (error) {
        process.exitCode = 1;
        return { engine: name, answers: error instanceof Error ? error.message : 'no' };
      } finally {
        await engine.close();
      }
    }),
  );
}
