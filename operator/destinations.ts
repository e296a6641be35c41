/** `operator destinations …`: lists the destinations of webhooks that fail, and resumes those that are paused. */
import { Command } from 'commander';
import { viewDestination } from '../services/destination-view.ts';
import { listFailing, resume } from '../store/destinations.ts';
import type { Context } from './context.ts';
import { limit } from './arguments.ts';
import { requireOrganization } from './require-organization.ts';
import { print } from './print.ts';

export function destinationCommands(context: Context): Command {
  const { db } = context;
  const destinations = new Command('destinations').description(
    'list destinations of webhooks that fail, and resume those that are paused',
  );
  destinations
    .command('list')
    .description('list the failing destinations of an organization')
    .argument('<orgId>')
    .option('--limit <number>', 'maximum number of destinations', limit, 100)
    .action(async (orgId: string, { limit }: { limit: number }) => {
      await requireOrganization(context, orgId);
      const rows = await listFailing(db, { org: orgId }, { limit, after: null });
      print(
        context,
        rows.map((row) => ({ ...viewDestination(row), environment: row.environment })),
      );
    });
  destinations
    .command('resume')
    .description('resume a paused destination, and forget its failures')
    .argument('<orgId>')
    .argument('<destinationId>', 'dst_…')
    .action(async (orgId: string, id: string) => {
      await requireOrganization(context, orgId);
      if (await resume(db, { id, org: orgId }, new Date(), context.author()))
        return print(context, { id, resumed: true });
      throw new Error(
        `${orgId} has no failing destination ${id}. Run "operator destinations list ${orgId}" to see them.`,
      );
    });
  return destinations;
}
