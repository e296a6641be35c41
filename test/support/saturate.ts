/** Saturates a provider: many workers, few slots, and a burst of one organization before the calls of another. */
import { ended, create } from './client.ts';
import { apiKey, at, enginesEnv, flux } from './engines.ts';
import { inBatches } from './in-batches.ts';
import { openTestDatabase } from './open-database.ts';
import { type Service, type StackOptions, startStack } from './stack.ts';
import { openTemporal } from './temporal.ts';
import { createTestKey } from './test-key.ts';
import { createTestOrganization } from './test-organization.ts';
import { timed } from './timed.ts';
import { startFal } from '../upstreams/fal.ts';

export interface SaturationOptions {
  /** Worker processes that call the provider. */
  workers: number;
  /** Slots of the provider. */
  concurrent: number;
  /** Milliseconds that a job of the provider takes. */
  jobTime: number;
  /** Calls of the first organization and, after them, of the other. */
  calls: { first: number; other: number };
}

type Organization = 'first' | 'other';

export interface Saturation {
  /** The number of artworks by status. */
  ended: Record<string, number>;
  /** Attempts of calls that have failed, as when the provider counts as down. */
  failedAttempts: number;
  /** The largest number of jobs that ran at the same time. */
  mostRunning: number;
  /** Per submission, in their order: the organization and the place of its call in the queue, counted per organization. */
  submissions: { organization: Organization; place: number }[];
  /** Milliseconds from the start of the workers to the end of the last artwork. */
  took: number;
}

const roles = { others: 'workflows,deliveries,embedded', providers: 'providers' };

export async function saturate(
  servers: Pick<StackOptions, 'databaseUrl' | 'temporalAddress' | 'folder'>,
  { workers, concurrent, jobTime, calls }: SaturationOptions,
): Promise<Saturation> {
  const fal = await startFal({ apiKey, jobTime });
  const env = enginesEnv(servers.folder, {
    engines: { fal: at('fal', fal, { concurrent }) },
    models: { selena: [flux] },
  });
  const stack = await startStack({ ...servers, workers: 0, ...timed({}, { ATELIER_LOG_LEVEL: 'warn', ...env }) });
  const db = openTestDatabase(stack.databaseUrl);
  try {
    await stack.startWorker({ ATELIER_WORKER_ROLES: roles.others });
    const { orgId } = await createTestOrganization(db, stack.secret);
    const other = { ...stack, adminKey: (await createTestKey(db, { orgId })).apiKey };
    const createAll = (service: typeof stack, organization: string, count: number) =>
      inBatches([...Array(count).keys()], (index) =>
        create(service, { prompt: `${organization} ${index}`, width: 64 * 4, height: 64 * 4, nsfw: true }),
      );
    const ofFirst = await createAll(stack, 'first', calls.first);
    const ofOther = await createAll(other, 'other', calls.other);
    // The calls of the first organization wait in the provider's queue before those of the other, when the workers start.
    const places = { first: await queuePlaces(stack, ofFirst), other: await queuePlaces(stack, ofOther) };
    const startedAt = Date.now();
    await Promise.all(
      Array.from({ length: workers }, () => stack.startWorker({ ATELIER_WORKER_ROLES: roles.providers })),
    );
    const counts: Record<string, number> = {};
    const timeout = 600_000;
    for (const [service, made] of [[stack, ofFirst] as const, [other, ofOther] as const]) {
      for (const { id } of made) {
        const { status } = await ended(service, id, timeout);
        counts[status] = (counts[status] ?? 0) + 1;
      }
    }
    const took = Date.now() - startedAt;
    const [failed] = await db.em().execute<{ count: number }[]>('select count(*)::int as count from failed_try');
    const submissions = fal.requests.flatMap(({ body }): Saturation['submissions'] => {
      const { prompt = '' } = Object(body) as { prompt?: string };
      const [, organization, index] = /^(first|other) (\d+)$/.exec(prompt) ?? [];
      if (organization !== 'first' && organization !== 'other') return [];
      return [{ organization, place: places[organization].indexOf(Number(index)) }];
    });
    return { ended: counts, failedAttempts: failed?.count ?? 0, mostRunning: fal.mostRunning(), submissions, took };
  } finally {
    await db.close();
    await stack.stop();
    await fal.close();
  }
}

/** Waits until the calls of all artworks are in the queue, and returns the numbers of the artworks in their order there. */
async function queuePlaces(service: Service, made: readonly { id: string }[]): Promise<number[]> {
  const temporal = await openTemporal(service);
  const scheduled = await inBatches([...made.entries()], async ([index, { id }]) => {
    const { raw } = await temporal.client.workflow.getHandle(id).describe();
    const time = raw.pendingActivities?.[0]?.scheduledTime;
    if (!time) throw new Error(`The call of ${id} is not in the queue yet.`);
    return { index, at: Number(time.seconds) * 1000 + Number(time.nanos) / 1e6 };
  });
  await temporal.close();
  return scheduled.sort((one, other) => one.at - other.at).map(({ index }) => index);
}

/** Returns, for each submission of an organization, by how many places it differs from the order of the queue. */
export function displacements({ submissions }: Saturation, organization: Organization): number[] {
  return submissions
    .filter((one) => one.organization === organization)
    .map(({ place }, submitted) => Math.abs(place - submitted));
}
