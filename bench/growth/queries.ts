/** The queries of clients, operators, metrics and workflows, made with the functions that the service calls. */
import { statuses } from '../../schemas/artwork.ts';
import type { Operation } from '../../schemas/operation.ts';
import { listReadableArtworks } from '../../services/list-artworks.ts';
import { findTimeline } from '../../services/timeline.ts';
import { showArtworks } from '../../services/artwork-views.ts';
import { deleteArtworkRows, findArtwork } from '../../store/artworks.ts';
import { listAudit } from '../../store/audit.ts';
import { countUnfinished, findExpired, findUndelivered, findUnfinished } from '../../store/census.ts';
import { listEntries, listStatements } from '../../store/credits.ts';
import type { Database } from '../../store/database.ts';
import { findDeliveries } from '../../store/deliveries.ts';
import type { ApiKey, Artwork } from '../../store/entities.ts';
import { eraseArtwork } from '../../store/erase-artwork.ts';
import { findByIdempotencyKey } from '../../store/idempotency.ts';
import { listKeys } from '../../store/keys.ts';
import { findFaults } from '../../store/ledger-faults.ts';
import type { Links } from '../../store/links.ts';
import { listAllArtworks } from '../../store/operator-artworks.ts';
import { listUsage } from '../../store/usage-pages.ts';

export interface Subjects {
  db: Database;
  links: Links;
  operations: readonly Operation[];
  now: Date;
  /** Callers by what they may read. */
  callers: Record<string, ApiKey>;
  /** Ended artworks that the measurement may remove, in the middle of the list. */
  artworks: Artwork[];
}

export type Query = () => Promise<unknown>;

const operations = [null, 'selena', 'depth-map', 'style-dna/generate', 'face-swap'];

/** Every combination of filters, for every caller. */
export function listQueries({ db, links, operations: known, now, callers, artworks }: Subjects): Record<string, Query> {
  const queries: Record<string, Query> = {};
  const middle = artworks[0]?.id ?? null;
  for (const [caller, key] of Object.entries(callers)) {
    for (const status of [null, ...statuses]) {
      for (const operation of operations) {
        for (const before of [null, middle]) {
          const name = [caller, status ?? 'any', operation ?? 'any', before ? 'middle' : 'first'].join(', ');
          const filter = { status, operation, before, limit: 101 };
          queries[`list: ${name}`] = async () => {
            const rows = await listReadableArtworks({ db, operations: known }, key, filter, now);
            return showArtworks({ db, links }, rows);
          };
        }
      }
    }
  }
  return queries;
}

export function otherQueries({
  db,
  links,
  operations: known,
  now,
  callers,
  artworks,
}: Subjects): Record<string, Query> {
  const caller = Object.values(callers)[0];
  const [artwork, ...others] = artworks;
  if (!caller || !artwork) throw new Error('There are no artworks to measure with');
  const { org } = caller;
  const names = known.map(({ name }) => name);
  const removed = others.values();
  const next = () => removed.next().value?.id ?? '';
  const day = (ago: number) => new Date(now.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const owner = { orgId: org, environments: [caller.environment] };
  const usage = (days: number) =>
    listUsage(db, owner, { from: day(days - 1), to: day(0) }, { limit: 101, after: null });
  const page = { before: now, after: null, limit: 1000 };
  return {
    'read an artwork': async () => showArtworks({ db, links }, [(await findArtwork(db, artwork.id)) ?? artwork]),
    timeline: () => findTimeline(db, artwork),
    deliveries: () => findDeliveries(db, artwork.id),
    'Idempotency-Key': () => findByIdempotencyKey(db, artwork.key, Buffer.from(artwork.idempotencyKey ?? '')),
    'usage, 30 days': () => usage(30),
    'usage, 366 days': () => usage(366),
    keys: () => listKeys(db, org, { limit: 101 }),
    audit: () => listAudit(db, org, 101, null),
    'census: unfinished': () => countUnfinished(db),
    'stuck: workflow_gone': () => findUnfinished(db, page),
    'stuck: undelivered': () => findUndelivered(db, { ...page, before: new Date(now.getTime() + 7200_000) }),
    'stuck: overdue': () => findExpired(db, { ...page, before: new Date(now.getTime() + 3600_000) }),
    'credits check': () => findFaults(db),
    'credits show': () => listStatements(db, org),
    'credits list': () => listEntries(db, artwork.key, 100),
    'operator list, PROCESSING': () => listAllArtworks(db, { status: 'PROCESSING' }, names, 100),
    'operator list, a rare operation': () => listAllArtworks(db, { operation: 'face-swap' }, names, 100),
    'operator list, no failures': () => listAllArtworks(db, { org, status: 'FAILED' }, names, 100),
    'delete an artwork': () => eraseArtwork(db, next(), now),
    'purge an artwork': () => deleteArtworkRows(db, next(), now),
  };
}
