/** `operator workers`: lists the task queues with the workers that take their tasks. */
import { Command } from 'commander';
import type { Config } from '../runtime/config.ts';
import { inputEngine } from '../schemas/plan.ts';
import type { Context } from './context.ts';
import { readBindings } from './engines.ts';
import { print } from './print.ts';
import { describeQueues, type Queue } from './queues.ts';

export function workerCommand(context: Context & { config: Config }): Command {
  const { config } = context;
  return new Command('workers')
    .description('list the task queues, how many tasks wait in them, and the workers of the last minute')
    .action(async () => {
      const { sources } = await readBindings(config);
      const engines = [inputEngine, ...Object.keys(sources)].map((name): Queue => ({ name, type: 'activities' }));
      const main: Queue[] = [
        { name: '', type: 'workflows' },
        // Deliveries to slow receivers.
        { name: '', type: 'activities' },
      ];
      const rows = await describeQueues(config, [...main, ...engines]);
      print(
        context,
        rows.map(({ name, type, waiting, workers }) => ({ tasks: name || mainTasks[type], waiting, workers })),
      );
    });
}

const mainTasks = { workflows: 'workflows', activities: 'deliveries' } as const;
