/** The operator's command line, from its arguments to its exit code. */
import { Command, CommanderError } from 'commander';
import type { Config } from '../runtime/config.ts';
import { throwExplained } from '../runtime/database-errors.ts';
import { requireSecret } from '../runtime/secret.ts';
import { checkDatabase } from '../store/check-database.ts';
import { isDatabaseUnavailable, openDatabase } from '../store/database.ts';
import { migrate } from '../store/migrate.ts';
import { openVault } from '../store/vault.ts';
import { artworkCommands } from './artworks.ts';
import { auditCommands } from './audit.ts';
import { operatorNamed, operatorName } from './operator-name.ts';
import { creditCommands } from './credits.ts';
import { destinationCommands } from './destinations.ts';
import { engineCommands } from './engines.ts';
import { fileCommands } from './files.ts';
import { keyCommands } from './keys.ts';
import { organizationCommands } from './organizations.ts';
import { priceCommands } from './prices.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { recordOwn } from './record-own.ts';
import { printable } from './printable.ts';
import { usageCommand } from './usage.ts';
import { workerCommand } from './workers.ts';
import { addWorkflowCommands } from './workflows.ts';

/** The destinations of text; each call gets whole lines. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Runs one command. Returns its exit code. @param args without the names of Node and the program */
export async function runOperator(args: readonly string[], config: Config, output: Output): Promise<number> {
  const db = openDatabase({ ...config.database, name: 'atelier-operator', connections: 2 });
  const program = new Command('operator');
  let exitCode = 0;
  const context: Context = {
    db,
    vault: openVault(config.secret, config.previousSecret),
    author: () => operatorNamed(program.opts<{ as?: string }>().as),
    isJson: () => program.opts<{ json?: boolean }>().json ?? false,
    writeLine: (line) => output.out(`${line}\n`),
    fail: () => void (exitCode = 1),
  };
  addCommands(program, context, config);
  program.hook('preAction', () => void requireSecret(config.secret));
  returnErrors(program, output);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode;
    const failure = isDatabaseUnavailable(error) ? await checkDatabase(db, config.database.url) : null;
    const message = failure?.message ?? (error instanceof Error ? error.message : String(error));
    output.err(`${message.split('\n').map(printable).join('\n')}\n`);
    return 1;
  } finally {
    await db.close();
  }
}

function addCommands(program: Command, context: Context, config: Config): void {
  program
    .description(
      'Manages the organizations, keys, artworks, workers, files, engines, credits, prices and database of Atelier. Reads DATABASE_URL and ATELIER_SECRET.',
    )
    .option('--json', 'print JSON')
    .option('--as <name>', 'your name for the audit log; default: your user name on this machine', operatorName);
  program.addCommand(organizationCommands({ ...context, config }));
  program.addCommand(keyCommands(context));
  program.addCommand(destinationCommands(context));
  program.addCommand(engineCommands({ ...context, config }));
  program.addCommand(workerCommand({ ...context, config }));
  program.addCommand(usageCommand(context));
  program.addCommand(auditCommands(context));
  program.addCommand(creditCommands({ ...context, config }));
  const artworks = artworkCommands({ ...context, config });
  addWorkflowCommands(artworks, { ...context, config });
  program.addCommand(artworks);
  program.addCommand(fileCommands({ ...context, config }));
  program.addCommand(priceCommands(context, config.pricesFile));
  program
    .command('migrate')
    .description('migrate the database to this release')
    .action(async () => {
      const { database } = config;
      const migrated = await migrate(database.directUrl).catch((cause: unknown) => throwExplained(cause, database));
      const changes = { migrations: migrated };
      if (migrated.length > 0) await recordOwn(context, { action: 'database.migrated', target: 'database', changes });
      print(context, { migrated });
    });
}

/** Makes Commander throw errors instead of ending the process. Each command needs this setting. */
function returnErrors(command: Command, output: Output): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => output.out(text),
    writeErr: (text) => output.err(text),
  });
  for (const subcommand of command.commands) returnErrors(subcommand, output);
}
