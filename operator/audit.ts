/** `operator audit …`: shows, exports and verifies the audit log. */
import { Command, InvalidArgumentError } from 'commander';
import { viewAudit } from '../services/audit-view.ts';
import { listAudit } from '../store/audit.ts';
import { contentOfEntry, contentOfSeal } from '../store/audit-digest.ts';
import { chainsOf, pagesOfEntries, pagesOfSeals, type Period } from '../store/audit-pages.ts';
import { verifyChain } from '../store/verify-audit.ts';
import { limit } from './arguments.ts';
import { requireOrganization } from './require-organization.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { printableJson } from './printable.ts';
import { compareWithLog } from './seals-in-log.ts';

interface ExportOptions {
  org?: string;
  since?: Date;
  until?: Date;
}

export function auditCommands(context: Context): Command {
  const { db, vault } = context;
  const audit = new Command('audit').description('show, export and verify the log of all changes');
  audit
    .command('list', { isDefault: true })
    .description('show the changes of an organization, newest first')
    .argument('<orgId>')
    .option('--limit <number>', 'maximum number of changes', limit, 100)
    .action(async (orgId: string, { limit }: { limit: number }) => {
      await requireOrganization(context, orgId);
      const entries = await listAudit(db, orgId, limit, null);
      print(
        context,
        entries.map((entry) => ({ ...viewAudit(entry), operatorName: entry.operatorName ?? null })),
      );
    });
  audit
    .command('export')
    .description('print all changes, then their seals, as JSON lines')
    .option('--org <orgId>', 'only this organization')
    .option('--since <time>', 'only from this time on, such as 2026-11-01T00:00:00Z', time)
    .option('--until <time>', 'only before this time', time)
    .action(async ({ org, since, until }: ExportOptions) => {
      const period = { since: since ?? null, until: until ?? null };
      const chains = await chainsFor(context, org);
      for (const chain of chains) await exportEntries(context, chain, period);
      for (const chain of chains) await exportSeals(context, chain, period);
    });
  audit
    .command('verify')
    .description('find entries and seals that were changed, added or removed; exits with 1 if there are any')
    .option('--org <orgId>', 'only this organization')
    .option('--log <file>', 'also compare the seals with those in a log of workers, one JSON object per line')
    .action(async ({ org, log }: { org?: string; log?: string }) => {
      const faults: { orgId: string | null; subject: string; fault: string }[] = [];
      for (const chain of await chainsFor(context, org)) {
        const found = await verifyChain(db, vault, chain, new Date());
        if (found) faults.push({ orgId: chain, ...found });
      }
      if (log !== undefined) faults.push(...(await compareWithLog(db, log, org, new Date())));
      print(context, faults.length > 0 ? faults : { faults });
      if (faults.length > 0) context.fail();
    });
  return audit;
}

/** @throws Error when there is no such organization */
async function chainsFor(context: Context, org: string | undefined): Promise<(string | null)[]> {
  if (org === undefined) return chainsOf(context.db);
  await requireOrganization(context, org);
  return [org];
}

async function exportEntries({ db, writeLine }: Context, chain: string | null, period: Period): Promise<void> {
  for await (const page of pagesOfEntries(db, chain, period)) {
    for (const entry of page) {
      writeLine(printableJson({ type: 'entry', seal: entry.seal ?? null, entry: contentOfEntry(entry) }, 0));
    }
  }
}

async function exportSeals({ db, writeLine }: Context, chain: string | null, period: Period): Promise<void> {
  for await (const page of pagesOfSeals(db, chain, period)) {
    for (const seal of page) {
      const { sha256, hmac } = seal;
      writeLine(printableJson({ type: 'seal', sha256, hmac, seal: contentOfSeal(seal) }, 0));
    }
  }
}

function time(text: string): Date {
  const value = new Date(text);
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(value.getTime())) return value;
  throw new InvalidArgumentError('It must be a time such as 2026-11-01T00:00:00Z.');
}
