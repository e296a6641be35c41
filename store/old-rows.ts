/** Deletes rows that nothing else deletes, when they are old: usage sums and audit entries. */
import type { Database } from './database.ts';
import { firstId } from './ids.ts';

/** Milliseconds for which usage sums and audit entries are kept: two years. */
const recordRetention = 731 * 86_400_000;

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
    [new Date(now.getTime() - recordRetention).toISOString().slice(0, 10), size, size],
  );
}

/** Deletes old audit entries, organization by organization. Returns how many. @param size maximum rows */
export async function deleteOldAudit(db: Database, now: Date, size: number): Promise<number> {
  return remove(
    db,
    `delete from audit_entry
     where id in (
         select old.id
         from organization
         cross join lateral (
           select id
           from audit_entry
           where org_id = organization.id and id < ?
           limit ?
         ) as old
         limit ?
       )`,
    [firstId('aud', new Date(now.getTime() - recordRetention)), size, size],
  );
}

async function remove(db: Database, sql: string, parameters: unknown[]): Promise<number> {
  return (await db.em().execute<{ affectedRows: number }>(sql, parameters, 'run')).affectedRows;
}
