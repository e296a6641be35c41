/** Deletes rows that nothing else deletes, when they are old: usage sums, audit entries and their seals. */
import type { Database } from './database.ts';
import { firstId } from './ids.ts';

/** Milliseconds for which usage sums and audit entries are kept: two years. */
const recordRetention = 731 * 86_400_000;

/** Returns the time since which usage sums and audit entries are kept. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - recordRetention);

/** Deletes old usage sums, organization by organization. Returns how many. @param size maximum rows */
export async function deleteOldUsage(db: Database, now: Date, size: number): Promise<number> {
  return remove(
    db,
    `delete from "usage"
     where (org_id, day, operation, key_id) in (
         select old.*
         from organization
         cross join lateral (
           select org_id, day, operation, key_id
           from "usage"
           where org_id = organization.id and day < ?::date
           limit ?
         ) as old
         limit ?
       )`,
    [keptSince(now).toISOString().slice(0, 10), size, size],
  );
}

/** Deletes old audit entries, oldest first. Returns how many. @param size maximum rows */
export async function deleteOldAudit(db: Database, now: Date, size: number): Promise<number> {
  return remove(
    db,
    'delete from audit_entry where id in (select id from audit_entry where id < ? order by id limit ?)',
    [firstId('aud', keptSince(now)), size],
  );
}

/** Deletes old seals of the audit log, oldest first. Returns how many. @param size maximum rows */
export async function deleteOldSeals(db: Database, now: Date, size: number): Promise<number> {
  return remove(db, 'delete from audit_seal where id in (select id from audit_seal where id < ? order by id limit ?)', [
    firstId('seal', keptSince(now)),
    size,
  ]);
}

async function remove(db: Database, sql: string, parameters: unknown[]): Promise<number> {
  return (await db.em().execute<{ affectedRows: number }>(sql, parameters, 'run')).affectedRows;
}
