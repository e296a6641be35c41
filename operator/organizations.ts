/** `operator organizations …` */
import { Command } from 'commander';
import { isUniqueViolation } from '../store/database.ts';
import { newId } from '../store/ids.ts';
import { createOrganization, findOrganization, listOrganizations, reencryptSecrets } from '../store/organizations.ts';
import { type Context, print } from './print.ts';

const idPattern = /^org_[A-Za-z0-9_-]{1,60}$/;

export function organizationCommands(context: Context): Command {
  const { db, vault } = context;
  const organizations = new Command('organizations').description(
    'make and list organizations, and encrypt their secrets anew',
  );
  organizations
    .command('create')
    .description('make an organization; its webhook secret is shown this once')
    .argument('<name>')
    .option('--id <id>', 'org_…; chosen when not given')
    .action(async (name: string, options: { id?: string }) => {
      const id = options.id ?? newId('org');
      if (!idPattern.test(id)) throw new Error(`--id ${id}: must be org_ and 1 to 60 letters, digits, _ or -`);
      try {
        const webhookSecret = await createOrganization(db, vault, { id, name, now: new Date() });
        print(context, { orgId: id, name, webhookSecret });
      } catch (error) {
        if (isUniqueViolation(error)) throw new Error(`There is already an organization ${id}`, { cause: error });
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
    .description('encrypt all webhook secrets with ATELIER_SECRET, also those that ATELIER_PREVIOUS_SECRET decrypts')
    .action(async () => print(context, { reencrypted: await reencryptSecrets(db, vault) }));
  return organizations;
}

/** @throws Error when there is no such organization */
export async function mustExist({ db }: Context, orgId: string): Promise<void> {
  if (!(await findOrganization(db, orgId))) throw new Error(`There is no organization ${orgId}`);
}
