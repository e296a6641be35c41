/** `operator organizations …`: creates, lists and erases organizations, changes their limits, and re-encrypts their secrets. */
import { Command } from 'commander';
import type { Config } from '../runtime/config.ts';
import { isUniqueViolation } from '../store/database.ts';
import { newId } from '../store/ids.ts';
import { createOrganization, listOrganizations } from '../store/organizations.ts';
import { reencryptSecrets } from '../store/webhook-secrets.ts';
import type { Context } from './context.ts';
import { eraseCommand } from './erase.ts';
import { limitsCommand } from './limits.ts';
import { print } from './print.ts';

const idPattern = /^org_[A-Za-z0-9_-]{1,60}$/;

export function organizationCommands(context: Context & { config: Config }): Command {
  const { db, vault } = context;
  const organizations = new Command('organizations').description(
    'create, list and erase organizations, change their limits, and re-encrypt their webhook secrets',
  );
  organizations
    .command('create')
    .description('create an organization and show its webhook secret, which is shown only once')
    .argument('<name>')
    .option('--id <id>', 'org_…; generated when omitted')
    .action(async (name: string, options: { id?: string }) => {
      const id = options.id ?? newId('org');
      if (!idPattern.test(id))
        throw new Error(`--id ${id} is not valid. Use org_ followed by 1 to 60 letters, digits, _ or -.`);
      try {
        const webhookSecret = await createOrganization(db, vault, { id, name, now: new Date() }, context.author());
        print(context, { orgId: id, name, webhookSecret });
      } catch (error) {
        if (isUniqueViolation(error))
          throw new Error(`The organization ${id} already exists. Choose another id.`, { cause: error });
        throw error;
      }
    });
  organizations
    .command('list')
    .description('list all organizations')
    .action(async () => {
      const rows = await listOrganizations(db);
      print(
        context,
        rows.map(({ id, name, createdAt }) => ({ orgId: id, name, createdAt: createdAt.toISOString() })),
      );
    });
  organizations
    .command('reencrypt')
    .description(
      'encrypt all webhook secrets and signing keys with ATELIER_SECRET, each bound to its organization; release 2.6.2 cannot read them afterwards',
    )
    .action(async () =>
      print(context, { reencrypted: await reencryptSecrets(db, vault, new Date(), context.author()) }),
    );
  organizations.addCommand(limitsCommand(context));
  organizations.addCommand(eraseCommand(context, idPattern));
  return organizations;
}
