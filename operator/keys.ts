/** `operator keys …`: the only way to an admin key. */
import { Command, Option } from 'commander';
import { type Domain, domains, type Environment, environments, type Scope, scopes } from '../schemas/access.ts';
import { createKey, findKey, listKeys, revokeKey, viewKey } from '../store/keys.ts';
import { findOrganization } from '../store/organizations.ts';
import { type Context, print } from './print.ts';

interface CreateOptions {
  scope: Scope;
  domains: Domain[];
  environment: Environment;
  label: string;
}

export function keyCommands(context: Context): Command {
  const { db } = context;
  const keys = new Command('keys').description('make, list and revoke API keys, admin keys among them');
  keys
    .command('create')
    .description('make a key; it is shown this once')
    .argument('<orgId>')
    .addOption(new Option('--scope <scope>').choices([...scopes]).default('admin'))
    .addOption(new Option('--domains <domains...>').choices([...domains]).default([...domains]))
    .addOption(new Option('--environment <environment>').choices([...environments]).default('live'))
    .option('--label <label>', 'what it is for', 'made by the operator')
    .action(async (orgId: string, options: CreateOptions) => {
      if (!(await findOrganization(db, orgId))) throw new Error(`There is no organization ${orgId}`);
      const now = new Date();
      const { row, apiKey } = await createKey(db, { ...options, orgId, credits: 0, expiresAt: null }, now);
      print(context, { ...viewKey(row, now), apiKey });
    });
  keys
    .command('list')
    .description('list the keys of an organization')
    .argument('<orgId>')
    .action(async (orgId: string) => {
      const now = new Date();
      print(
        context,
        (await listKeys(db, orgId)).map((key) => viewKey(key, now)),
      );
    });
  keys
    .command('revoke')
    .description('revoke a key at once')
    .argument('<orgId>')
    .argument('<keyId>')
    .action(async (orgId: string, keyId: string) => {
      const now = new Date();
      const key = await findKey(db, orgId, keyId);
      if (!key) throw new Error(`The organization ${orgId} has no key ${keyId}`);
      await revokeKey(db, keyId, now);
      print(context, viewKey({ ...key, revokedAt: key.revokedAt ?? now }, now));
    });
  return keys;
}
