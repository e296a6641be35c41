/** `npm run operator -- …`: what only the operator may do. Never reachable through HTTP. */
import { Command } from 'commander';
import { readConfig } from '../runtime/config.ts';
import { openDatabase } from '../store/database.ts';
import { openVault } from '../store/vault.ts';
import { artworkCommands } from './artworks.ts';
import { engineCommands } from './engines.ts';
import { creditCommands } from './credits.ts';
import { keyCommands } from './keys.ts';
import { organizationCommands } from './organizations.ts';
import { migrate } from '../store/migrate.ts';
import { priceCommands } from './prices.ts';
import { print } from './print.ts';
import { auditCommand, usageCommand } from './usage.ts';

const config = readConfig();
const program = new Command('operator')
  .description(
    'Organizations, keys, artworks, engines, usage, credits, prices and the database of Atelier. Reads DATABASE_URL and ATELIER_SECRET.',
  )
  .option('--json', 'print JSON for machines');
const db = openDatabase({ url: config.databaseUrl, name: 'atelier-operator', connections: 2 });
const context = {
  db,
  vault: openVault(config.secret, config.previousSecret),
  isJson: () => program.opts<{ json?: boolean }>().json ?? false,
};

program.addCommand(organizationCommands(context));
program.addCommand(keyCommands(context));
program.addCommand(engineCommands({ ...context, config }));
program.addCommand(usageCommand(context));
program.addCommand(auditCommand(context));
program.addCommand(creditCommands(context));
program.addCommand(artworkCommands({ ...context, config }));
program.addCommand(priceCommands(context, config.pricesFile));
program
  .command('migrate')
  .description('bring the database to the tables of this release')
  .action(async () => print(context, { migrated: await migrate(config.databaseUrl) }));

try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await db.close();
}
