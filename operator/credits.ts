/** `operator credits …`: grants credits to keys and shows their ledgers. */
import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../runtime/config.ts';
import { grantCredits, isOutOfCredits, listEntries, listStatements } from '../store/credits.ts';
import { openDatabase } from '../store/database.ts';
import { findAllFaults, findFaults, type LedgerFault } from '../store/ledger-faults.ts';
import { requireKey, unknownKey } from './keys.ts';
import { requireOrganization } from './require-organization.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';

const entriesShown = 100;
/** Milliseconds that a full check may take: enough for billions of entries. */
const fullTimeout = 3600_000;

export function creditCommands(context: Context & { config: Config }): Command {
  const { db, config } = context;
  const credits = new Command('credits').description('grant credits to keys and show their ledgers');
  credits
    .command('grant')
    .description('add credits to a key, or remove some: credits grant org_… key_… -- -50')
    .argument('<orgId>')
    .argument('<keyId>')
    .argument('<amount>', 'whole credits', wholeNumber)
    .action(async (orgId: string, keyId: string, amount: number) => {
      try {
        const balance = await grantCredits(db, { orgId, keyId }, amount, new Date(), context.author());
        if (balance === null) throw unknownKey(orgId, keyId);
        print(context, { keyId, granted: amount, credits: balance });
      } catch (cause) {
        if (!isOutOfCredits(cause)) throw cause;
        throw new Error(`The key ${keyId} has fewer than ${-amount} credits left. Remove fewer.`, { cause });
      }
    });
  credits
    .command('show')
    .description('show the balance, grants, reservations and charges of each key of an organization')
    .argument('<orgId>')
    .action(async (orgId: string) => {
      await requireOrganization(context, orgId);
      print(context, await listStatements(db, orgId));
    });
  credits
    .command('list')
    .description(`list the last ${entriesShown} entries of a key's ledger, newest first`)
    .argument('<orgId>')
    .argument('<keyId>')
    .action(async (orgId: string, keyId: string) => {
      await requireKey(context, orgId, keyId);
      const entries = await listEntries(db, keyId, entriesShown);
      print(
        context,
        entries.map(({ reference, kind, operation, amount, createdAt }) => ({
          at: createdAt.toISOString(),
          kind,
          amount,
          operation: operation ?? null,
          reference,
        })),
      );
    });
  credits
    .command('check')
    .description('find balances that differ from their ledger, and reservations that will never be settled')
    .option('--full', 'read every entry of the ledger, not only those that have not been verified yet')
    .action(async ({ full }: { full?: true }) => {
      const faults = full ? await checkAll(config) : await findFaults(db);
      print(context, { faults: faults.map(({ id, fault }) => `${id} ${fault}`) });
      if (faults.length > 0) context.fail();
    });
  return credits;
}

/** Reads the whole ledger on a connection of its own, whose statements may take long. */
async function checkAll({ database }: Config): Promise<LedgerFault[]> {
  const { directUrl: url } = database;
  const db = openDatabase({ url, isPooled: false, name: 'atelier-operator', connections: 1, timeout: fullTimeout });
  try {
    return await findAllFaults(db);
  } finally {
    await db.close();
  }
}

function wholeNumber(text: string): number {
  const amount = /^-?\d{1,9}$/.test(text) ? Number(text) : 0;
  if (amount === 0) throw new InvalidArgumentError('It must be a whole number other than 0, of at most nine digits.');
  return amount;
}
