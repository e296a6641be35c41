/** `operator engines …`: checks bindings, lists engines with their limits and queues, pauses and resumes them. */
import { Command } from 'commander';
import { type Config, readKey } from '../runtime/config.ts';
import type { Bindings } from '../engines/catalogue.ts';
import { embedded } from '../engines/embedded.ts';
import { readEngines } from '../engines/read.ts';
import { countRunning, listEngineStates, pauseEngines, resumeEngines } from '../store/engine-limits.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { describeQueues } from './queues.ts';

/** Milliseconds for the live check of a provider. */
const checkTimeout = 20_000;

export function engineCommands(context: Context & { config: Config }): Command {
  const { db, config } = context;
  const engines = new Command('engines').description('check bindings; list, pause and resume engines');
  engines
    .command('check')
    .description('check the engines file and show the engines of each model')
    .option('--file <file>', 'check this file instead of the file in ATELIER_ENGINES')
    .option('--live', 'also send the cheapest possible call to each provider')
    .action(async ({ file, live = false }: { file?: string; live?: boolean }) => {
      const { models, sources } = await readBindings(config, readKey, file);
      const bound = Object.entries(models).map(([model, { task, bindings }]) => ({
        model,
        task,
        engines: bindings.map(({ engine, priceClass }) => (priceClass ? `${engine} (${priceClass})` : engine)),
      }));
      const checks = live ? await checkProviders(sources, context.fail) : [];
      if (context.isJson() && live) return print(context, { models: bound, engines: checks });
      print(context, bound);
      if (live) print(context, checks);
    });
  engines
    .command('list')
    .description('list engines with their limits, running calls and waiting calls')
    .action(async () => {
      const { sources } = await readBindings(config);
      const now = new Date();
      const [states, running] = await Promise.all([listEngineStates(db), countRunning(db, now)]);
      // After the queries, because closing the database while it connects for a query never ends.
      const queues = await describeQueues(
        config,
        Object.keys(sources).map((name) => ({ name, type: 'activities' })),
      );
      const rows = Object.entries(sources).map(([name, { limits }]) => {
        const state = states.find((one) => one.name === name);
        return {
          engine: name,
          waiting: queues.find((queue) => queue.name === name)?.waiting ?? null,
          running: limits?.concurrent === undefined ? null : (running.get(name) ?? 0),
          perSecond: limits?.perSecond ?? null,
          concurrent: limits?.concurrent ?? null,
          pausedAt: state?.pausedAt?.toISOString() ?? null,
          heldUntil: state?.heldUntil && state.heldUntil > now ? state.heldUntil.toISOString() : null,
        };
      });
      print(context, rows);
    });
  const requireEngines = async (name: string): Promise<string[]> => {
    const providers = Object.entries((await readBindings(config)).sources).flatMap(([one, { limits }]) =>
      limits ? [one] : [],
    );
    // A binding with its own rate is an engine of its own, named `<engine>.<binding>`.
    const found = providers.filter((one) => one === name || one.startsWith(`${name}.`));
    if (found.length > 0) return found;
    const remedy = providers.length > 0 ? `Name one of: ${providers.join(', ')}` : 'No provider is configured';
    throw new Error(`${name} is not an engine of a provider. ${remedy}.`);
  };
  engines
    .command('pause')
    .description('stop new calls to an engine: artworks wait or use the next engine, and running calls continue')
    .argument('<engine>')
    .action(async (name: string) => {
      const paused = await requireEngines(name);
      const at = new Date();
      await pauseEngines(db, paused, at, context.author());
      print(
        context,
        paused.map((engine) => ({ engine, pausedAt: at.toISOString() })),
      );
    });
  engines
    .command('resume')
    .description('allow new calls again within half a minute, even if the provider requested a wait')
    .argument('<engine>')
    .action(async (name: string) => {
      const resumed = await requireEngines(name);
      await resumeEngines(db, resumed, new Date(), context.author());
      print(
        context,
        resumed.map((engine) => ({ engine, pausedAt: null })),
      );
    });
  return engines;
}

/**
 * Reads the bindings of models to engines.
 * @param key returns an API key by its variable. By default, keys are not needed, because only workers have them
 * @param file default: that of `ATELIER_ENGINES`
 */
export function readBindings(
  { enginesFile, language }: Config,
  key: typeof readKey = () => 'not needed',
  file = enginesFile,
): Promise<Bindings> {
  const own = embedded(language);
  return file === null ? Promise.resolve(own) : readEngines(file, own, key);
}

/** Sends a call to each provider, and compares its models with the bindings. Makes the command fail when there is a problem. */
async function checkProviders(
  sources: Bindings['sources'],
  fail: () => void,
): Promise<{ engine: string; ok: boolean; error: string | null }[]> {
  const providers = Object.entries(sources).filter(([, { limits }]) => limits);
  const checks = providers.map(async ([name, { load }]) => {
    const engine = await load();
    const signal = AbortSignal.timeout(checkTimeout);
    try {
      await engine.ping?.(signal);
      const problems = (await engine.inspect?.(signal)) ?? [];
      if (problems.length === 0) return [{ engine: name, ok: true, error: null }];
      fail();
      return problems.map((error) => ({ engine: name, ok: false, error }));
    } catch (error) {
      fail();
      return [{ engine: name, ok: false, error: error instanceof Error ? error.message : String(error) }];
    } finally {
      await engine.close();
    }
  });
  return (await Promise.all(checks)).flat();
}
