/** `operator organizations limits`: shows the limits of an organization with their use, and changes them. */
import { Command, InvalidArgumentError } from 'commander';
import type { Config } from '../runtime/config.ts';
import { environments } from '../schemas/access.ts';
import { limitNames, organizationLimits, parseLimit } from '../schemas/limits.ts';
import { readStoredUse } from '../services/limit-views.ts';
import { changeLimits, findOwnLimits, type LimitChange } from '../store/organization-limits.ts';
import type { Context } from './context.ts';
import { requireOrganization } from './require-organization.ts';
import { print } from './print.ts';

export function limitsCommand(context: Context & { config: Config }): Command {
  const { db, author } = context;
  return new Command('limits')
    .description('show the limits of an organization with their use, and change them')
    .argument('<orgId>')
    .option(
      '--set <name=value...>',
      'new limits: a whole number, with KB, MB or GB for bytes; none for no limit; default for the default',
      changes,
    )
    .action(async (orgId: string, { set = [] }: { set?: LimitChange[] }) => {
      await requireOrganization(context, orgId);
      if (set.length > 0) await changeLimits(db, orgId, set, new Date(), author());
      print(context, await limitsOf(context, orgId));
    });
}

async function limitsOf({ db, config }: Context & { config: Config }, org: string): Promise<object[]> {
  const own = (await findOwnLimits(db, org)) ?? {};
  const now = new Date();
  const uses = await Promise.all(
    environments.map(async (environment) => [environment, await readStoredUse(db, { org, environment }, now)] as const),
  );
  return limitNames.map((name) => ({
    name,
    limit: own[name] === undefined ? config.organizationLimits[name] : own[name],
    isDefault: own[name] === undefined,
    unit: organizationLimits[name].unit,
    // Null: only the API processes know it.
    ...Object.fromEntries(
      uses.map(([environment, use]) => [
        `used in ${environment}`,
        name in use ? use[name as keyof typeof use].used : null,
      ]),
    ),
  }));
}

function changes(text: string, others: LimitChange[] = []): LimitChange[] {
  try {
    return [...others, parseLimit(text)];
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : '');
  }
}
