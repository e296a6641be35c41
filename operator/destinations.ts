/** `operator destinations …`: lists the destinations of webhooks that fail, and resumes those that are paused. */
import { Command } from 'commander';
import { viewDestination } from '../services/destination-view.ts';
import { operator } from '../store/audit.ts';
import { listFailing, resume } from '../store/destinations.ts';
import type { Context } from './context.ts';
import { limit } from './arguments.ts';
import { requireOrganization } from './organizations.ts';
import { print } from './print.ts';

export function destinationCommands(context: Context): Command {
  const { db } = context;
  const destinations = new Command('destinations').description(
    'list destinations of webhooks that fail, and resume those that are paused',
  );
  destinations
    .command('list')
    .description('list the failing destinations of an organization, by origin')
    .argument('<orgId>')
    .option('--limit <number>', 'maximum number of destinations', limit, 100)
    .action(async (orgId: string, { limit }: { limit: number }) => {
      await requireOrganization(context, orgId);
      print(context, (await listFailing(db, orgId, { limit, after: null })).map(viewDestination));
    });
  destinations
    .command('resume')
    .description('resume a paused destination, and forget its failures')
    .argument('<orgId>')
    .argument('<origin>', 'protocol, host and port, such as https://example.com')
    .action(async (orgId: string, origin: string) => {
      await requireOrganization(context, orgId);
      const isResumed = await resume(db, { org: orgId, origin }, new Date(), operator);
      print(context, { orgId, origin, resumed: isResumed });
    });
  return destinations;
}
