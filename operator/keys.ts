/** `operator keys …`: manages keys. Only the operator can create admin keys and change the rate limits of a key. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { type Domain, domains, type Environment, environments, type Scope, scopes } from '../schemas/access.ts';
import { isNetwork } from '../schemas/networks.ts';
import { latestExpiry, longestGracePeriod } from '../schemas/organization.ts';
import type { ApiKey } from '../store/entities.ts';
import { createKey, findKey, type KeyChanges, listKeys, revokeKey, updateKey } from '../store/keys.ts';
import { rollKey } from '../store/roll-key.ts';
import { keyStatus, viewKey } from '../services/key-view.ts';
import { integer } from './arguments.ts';
import { requireOrganization } from './require-organization.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';

interface CreateOptions {
  scope: Scope;
  domains: Domain[];
  environment: Environment;
  label: string;
  credits: number;
  expiresAt?: Date | 'never';
  allowedAddresses?: string[];
  maxKeyDays?: number | 'none';
}

/** `never`, `default`, `all` and `none` stand for null, because Commander treats null as an absent option. */
interface UpdateOptions extends Pick<KeyChanges, 'label' | 'credits'> {
  expiresAt?: Date | 'never';
  rateCreations?: number | 'default';
  rateOthers?: number | 'default';
  allowedAddresses?: string[] | ['all'];
  maxKeyDays?: number | 'none';
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
    .option('--allowed-addresses <addresses...>', 'IP addresses and networks that can use the key', networks)
    .option('--max-key-days <number>', 'days within which keys must expire that this key creates', days)
    .action(async (orgId: string, options: CreateOptions) => {
      await requireOrganization(context, orgId);
      const expiresAt = orNull(options.expiresAt) ?? null;
      const { allowedAddresses = null } = options;
      const maxKeyDays = orNull(options.maxKeyDays) ?? null;
      const key = { ...options, orgId, expiresAt, allowedAddresses, maxKeyDays };
      const { row, apiKey } = await createKey(db, key, new Date(), context.author());
      print(context, { ...view(row), apiKey });
    });
  keys
    .command('list')
    .description('list the keys of an organization, newest first')
    .argument('<orgId>')
    .option('--unused-days <number>', 'list only active keys that were not used for so many days', days)
    .action(async (orgId: string, { unusedDays }: { unusedDays?: number }) => {
      await requireOrganization(context, orgId);
      const now = new Date();
      const unused = unusedDays === undefined ? null : { since: new Date(now.getTime() - unusedDays * day), now };
      print(
        context,
        (await listKeys(db, orgId, { unused })).map((key) => view(key, now)),
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
    .option(
      '--allowed-addresses <addresses...>',
      'IP addresses and networks that can use the key, or all',
      networksOrAll,
    )
    .option('--max-key-days <number>', 'days within which keys must expire that this key creates, or none', daysOrNone)
    .action(async (orgId: string, keyId: string, options: UpdateOptions) => {
      await requireKey(context, orgId, keyId);
      const { label, credits, expiresAt, rateCreations, rateOthers, allowedAddresses, maxKeyDays } = options;
      const changes = {
        ...{ label, credits, expiresAt: orNull(expiresAt) },
        ...{ rateCreations: orNull(rateCreations), rateOthers: orNull(rateOthers) },
        allowedAddresses: allowedAddresses?.[0] === 'all' ? null : allowedAddresses,
        maxKeyDays: orNull(maxKeyDays),
      };
      const key = await updateKey(db, { orgId, id: keyId }, changes, new Date(), context.author());
      if (!key) throw new Error(`The key ${keyId} is revoked and cannot be changed. Create a new one.`);
      print(context, view(key));
    });
  keys
    .command('roll')
    .description('replace a key and show the new one in full; it keeps its id, artworks, credits and usage')
    .argument('<orgId>')
    .argument('<keyId>')
    .option('--grace-period <seconds>', 'seconds for which the previous key remains valid', gracePeriod, 0)
    .action(async (orgId: string, keyId: string, { gracePeriod }: { gracePeriod: number }) => {
      await requireKey(context, orgId, keyId);
      const now = new Date();
      const check = (key: ApiKey) => {
        if (keyStatus(key, now) === 'expired')
          throw new Error(
            `The key ${keyId} has expired. Set a later expiry first: keys update ${orgId} ${keyId} --expires-at …`,
          );
      };
      const roll = { orgId, id: keyId, gracePeriodSeconds: gracePeriod, now, check };
      const rolled = await rollKey(db, roll, context.author());
      if (!rolled) throw new Error(`The key ${keyId} is revoked and cannot be rolled. Create a new one.`);
      const { row, apiKey, previousKeyExpiresAt } = rolled;
      print(context, { ...view(row, now), apiKey, previousKeyExpiresAt });
    });
  keys
    .command('revoke')
    .description('revoke a key at once')
    .argument('<orgId>')
    .argument('<keyId>')
    .action(async (orgId: string, keyId: string) => {
      await requireKey(context, orgId, keyId);
      await revokeKey(db, keyId, new Date(), context.author());
      print(context, view(await requireKey(context, orgId, keyId)));
    });
  return keys;
}

/** Returns null for `never`, `default` and `none`, and undefined for an absent option. */
function orNull<T extends Date | number>(value: T | 'never' | 'default' | 'none' | undefined): T | null | undefined {
  return typeof value === 'string' ? null : value;
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
const day = 86_400_000;
const days = (text: string) => integer(text, 1, 36_500);
const daysOrNone = (text: string) => (text === 'none' ? text : days(text));
const gracePeriod = (text: string) => integer(text, 0, longestGracePeriod);
const rate = (text: string) => (text === 'default' ? text : integer(text, 1));

function expiry(text: string): Date | 'never' {
  if (text === 'never') return text;
  const time = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && time > new Date() && time <= latestExpiry) return time;
  throw new InvalidArgumentError(
    'It must be a time in the future, before the year 10000, such as 2026-12-31T23:59:59Z, or never.',
  );
}

function networks(text: string, others: string[] = []): string[] {
  if (isNetwork(text)) return [...others, text];
  throw new InvalidArgumentError('It must be an IP address such as 203.0.113.7 or a network such as 203.0.113.0/24.');
}

function networksOrAll(text: string, others?: string[]): string[] {
  if (others?.includes('all')) throw new InvalidArgumentError('"all" cannot be combined with addresses.');
  return text === 'all' && !others ? [text] : networks(text, others);
}
