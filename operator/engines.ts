/** `operator engines …`: what models are bound to, what providers allow and do, and a stop for each of them. */
import { Command } from 'commander';
import { type Config, readKey } from '../runtime/config.ts';
import type { Bindings } from '../engines/catalogue.ts';
import { embedded } from '../engines/embedded.ts';
import { readEngines } from '../engines/read.ts';
import { countRunning, listEngineStates, pauseEngines, resumeEngines } from '../store/engine-limits.ts';
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
      const answers = live ? await askAll(sources, context.fail) : [];
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
  const named = async (name: string): Promise<string[]> => {
    const providers = Object.entries((await read()).sources).flatMap(([one, { limits }]) => (limits ? [one] : []));
    // Bindings with a rate of their own are engines named after it.
    const found = providers.filter((one) => one === name || one.startsWith(`${name}.`));
    if (found.length > 0) return found;
    const known = providers.length > 0 ? `There are: ${providers.join(', ')}` : 'There is none';
    throw new Error(`There is no provider's engine ${name}. ${known}`);
  };
  engines
    .command('pause')
    .description('let no more calls begin; artworks wait or go to the next engine, running calls go on')
    .argument('<engine>')
    .action(async (name: string) => {
      const paused = await named(name);
      const at = new Date();
      await pauseEngines(db, paused, at);
      print(
        context,
        paused.map((engine) => ({ engine, pausedAt: at.toISOString() })),
      );
    });
  engines
    .command('resume')
    .description('let calls begin again, within half a minute, also where the provider has asked to be left alone')
    .argument('<engine>')
    .action(async (name: string) => {
      const resumed = await named(name);
      await resumeEngines(db, resumed);
      print(
        context,
        resumed.map((engine) => ({ engine, pausedAt: null })),
      );
    });
  return engines;
}

/** Makes the command fail when a provider cannot be used. */
async function askAll(sources: Bindings['sources'], fail: () => void): Promise<{ engine: string; answers: string }[]> {
  const providers = Object.entries(sources).filter(([, { limits }]) => limits);
  return Promise.all(
    providers.map(async ([name, { load }]) => {
      const engine = await load();
      try {
        await engine.ping?.(AbortSignal.timeout(patience));
        return { engine: name, answers: 'yes' };
      } catch (error) {
        fail();
        return { engine: name, answers: error instanceof Error ? error.message : 'no' };
      } finally {
        await engine.close();
      }
    }),
  );
}
