/** `operator usage …`: shows the usage of organizations. */
import { Command, Option } from 'commander';
import { type Environment, environments } from '../schemas/access.ts';
import { spanOf } from '../schemas/days.ts';
import { listUsage } from '../store/usage-pages.ts';
import { requireOrganization } from './require-organization.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';

/** Maximum number of rows, far more than a person reads. */
const maxRows = 100_000;

interface UsageOptions {
  from?: string;
  to?: string;
  environment?: Environment;
}

export function usageCommand(context: Context): Command {
  const { db } = context;
  return new Command('usage')
    .description('show requests, artworks and credits by day, operation and key')
    .argument('<orgId>')
    .option('--from <day>', 'the first day, such as 2026-11-01 (UTC); 29 days before the last day when omitted')
    .option('--to <day>', 'the last day; today when omitted')
    .addOption(new Option('--environment <environment>', 'only keys of this environment').choices([...environments]))
    .action(async (orgId: string, { environment, ...options }: UsageOptions) => {
      await requireOrganization(context, orgId);
      const { failures, ...span } = spanOf(options, new Date());
      const [failure] = failures;
      if (failure) throw new Error(`--${failure.path.slice(1)} ${failure.message}`);
      const owner = { orgId, environments: environment ? [environment] : environments };
      const { items, totals } = await listUsage(db, owner, span, { limit: maxRows, after: null });
      print(context, context.isJson() ? { ...span, totals, items } : [...items, { ...span, ...totals }]);
    });
}
