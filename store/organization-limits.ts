/** The own limits of organizations, which the operator sets. */
import { isDeepStrictEqual } from 'node:util';
import type { LimitName, OwnLimits } from '../schemas/limits.ts';
import { type Author, recordChange } from './audit.ts';
import type { Database } from './database.ts';
import { Organization } from './entities.ts';

/** @returns null when there is no such organization */
export async function findOwnLimits(db: Database, id: string): Promise<OwnLimits | null> {
  const row = await db.em().findOne(Organization, { id }, { fields: ['limits'] });
  return row && (row.limits ?? {});
}

/** A limit that gets its own value, null for none, or undefined for the default. */
export interface LimitChange {
  name: LimitName;
  value: number | null | undefined;
}

/** Changes limits and records the change in the audit log. @returns null when there is no such organization */
export function changeLimits(
  db: Database,
  id: string,
  requested: readonly LimitChange[],
  now: Date,
  author: Author,
): Promise<OwnLimits | null> {
  return db.em().transactional(async (em) => {
    await em.execute('select 1 from organization where id = ? for no key update', [id]);
    const row = await em.findOne(Organization, { id }, { fields: ['limits'] });
    if (!row) return null;
    const before: OwnLimits = row.limits ?? {};
    const after = Object.fromEntries(
      Object.entries({ ...before, ...Object.fromEntries(requested.map(({ name, value }) => [name, value])) }).filter(
        ([, value]) => value !== undefined,
      ),
    ) as OwnLimits;
    const names = requested.map(({ name }) => name).filter((name) => !isDeepStrictEqual(before[name], after[name]));
    if (names.length === 0) return before;
    await em.nativeUpdate(Organization, { id }, { limits: Object.keys(after).length > 0 ? after : null });
    const changes = Object.fromEntries(
      names.map((name) => [name, { from: textOf(before[name]), to: textOf(after[name]) }]),
    );
    await recordChange(em, author, { org: id, action: 'organization.limits_changed', target: id, changes, at: now });
    return after;
  });
}

const textOf = (value: number | null | undefined) => (value === undefined ? 'default' : (value ?? 'none'));
