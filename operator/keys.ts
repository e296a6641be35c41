/** `operator keys …`: manages keys. Only the operator can create admin keys and change the rate limits of a key. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Domain, domains, type Environment, environments, type Scope, scopes } from '../schemas/access.ts';
import { latestExpiry } from '../schemas/organization.ts';
import { operator } from '../store/audit.ts';
import type { ApiKey } from '../store/entities.ts';
import { createKey, findKey, type KeyChanges, listKeys, revokeKey, updateKey } from '../store/keys.ts';
import { viewKey } from '../services/key-view.ts';
import { integer } from './arguments.ts';
import { requireOrganization } from './organizations.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';

interface CreateOptions {
  scope: Scope;
  domains: Domain[];
  environment: Environment;
  label: string;
  credits: number;
  expiresAt?: Date | 'never';
}

/** `never` and `default` stand for null, because Commander treats null as an absent option. */
interface UpdateOptions extends Pick<KeyChanges, 'label' | 'credits'> {
  expiresAt?: Date | 'never';
  rateCreations?: number | 'default';
  rateOthers?: number | 'default';
}

/** The API's view of a key, with its own rate limits. Null means the default of all keys. */
const view = (key: ApiKey, now = new Date()) => ({
  ...viewKey(key, now),
  rateCreations: key.rateCreations ?? null,
  rateOthers: key.rateOthers ?? null,
});

export function keyCommands(context: Context): Command {
  const { db } = context;
  const keys = new Command('keys').description('create, list, show, update and revoke API keys, including admin keys');
  keys
    .command('create')
    .description('create a key and show it in full, which happens only once')
    .argument('<orgId>')
    .addOption(new Option('--scope <scope>').choices([...scopes]).default('admin'))
    .addOption(new Option('--domains <domains...>').choices([...domains]).default([...domains]))
    .addOption(new Option('--environment <environment>').choices([...environments]).default('live'))
    .option('--label <label>', 'the purpose of the key', label, 'made by the operator')
    .option('--credits <number>', 'credits that the key can spend', credits, 0)
    .option('--expires-at <time>', 'time when the key expires, such as 2026-12-31T23:59:59Z', expiry)
    .action(async (orgId: string, options: CreateOptions) => {
      await requireOrganization(context, orgId);
      const expiresAt = orNull(options.expiresAt) ?? null;
      const { row, apiKey } = await createKey(db, { ...options, orgId, expiresAt }, new Date());
      print(context, { ...view(row), apiKey });
    });
  keys
    .command('list')
    .description('list the keys of an organization, newest first')
    .argument('<orgId>')
    .action(async (orgId: string) => {
      await requireOrganization(context, orgId);
      print(
        context,
        (await listKeys(db, orgId)).map((key) => view(key)),
      );
    });
  keys
    .command('show')
    .description('show a key')
    .argument('<orgId>')
    .argument('<keyId>')
    .action(async (orgId: string, keyId: string) => print(context, view(await requireKey(context, orgId, keyId))));
  keys
    .command('update')
    .description('update a key that is not revoked')
    .argument('<orgId>')
    .argument('<keyId>')
    .option('--label <label>', 'the purpose of the key', label)
    .option('--credits <number>', 'new balance of the key', credits)
    .option('--expires-at <time>', 'time when the key expires, such as 2026-12-31T23:59:59Z, or never', expiry)
    .option('--rate-creations <number>', 'creations per minute, or default', rate)
    .option('--rate-others <number>', 'other requests per minute, or default', rate)
    .action(async (orgId: string, keyId: string, options: UpdateOptions) => {
      await requireKey(context, orgId, keyId);
      const { label, credits, expiresAt, rateCreations, rateOthers } = options;
      const changes = {
        ...{ label, credits, expiresAt: orNull(expiresAt) },
        ...{ rateCreations: orNull(rateCreations), rateOthers: orNull(rateOthers) },
      };
      const key = await updateKey(db, { orgId, id: keyId }, changes, new Date(), operator);
      if (!key) throw new Error(`The key ${keyId} is revoked and cannot be changed. Create a new one.`);
      print(context, view(key));
    });
  keys
    .command('revoke')
    .description('revoke a key at once')
    .argument('<orgId>')
    .argument('<keyId>')
    .action(async (orgId: string, keyId: string) => {
      await requireKey(context, orgId, keyId);
      await revokeKey(db, keyId, new Date());
      print(context, view(await requireKey(context, orgId, keyId)));
    });
  return keys;
}

/** Returns null for `never` and `default`, and undefined for an absent option. */
function orNull<T extends Date | number>(value: T | 'never' | 'default' | undefined): T | null | undefined {
  return value === 'never' || value === 'default' ? null : value;
}

/** Returns the key. @throws Error when the organization has no such key */
export async function requireKey({ db }: Context, orgId: string, keyId: string): Promise<ApiKey> {
  const key = await findKey(db, orgId, keyId);
  if (!key) throw unknownKey(orgId, keyId);
  return key;
}

export const unknownKey = (orgId: string, keyId: string) =>
  new Error(`The organization ${orgId} has no key ${keyId}. Run "operator keys list ${orgId}" to see its keys.`);

function label(text: string): string {
  const { length } = [...text];
  if (length >= 1 && length <= 100) return text;
  throw new InvalidArgumentError('It must have 1 to 100 characters.');
}

const credits = (text: string) => integer(text, 0);
const rate = (text: string) => (text === 'default' ? text : integer(text, 1));

function expiry(text: string): Date | 'never' {
  if (text === 'never') return text;
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && time > new Date() && time <= latestExpiry) return time;
  throw new InvalidArgumentError(
    'It must be a time in the future, before the year 10000, such as 2026-12-31T23:59:59Z, or never.',
  );
}
