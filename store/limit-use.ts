/** How much of its limits an organization uses, in one environment. Each count reads an index alone, or few rows. */
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment } from '../schemas/access.ts';
import type { Database } from './database.ts';

/** The keys whose use counts together. */
export interface LimitHolder {
  org: string;
  environment: Environment;
}

const unfinished = `from artwork where org_id = ? and environment = ? and finished_at is null and status <> 'ABANDONED'`;

/** Returns the number of artworks and synchronous requests that have not ended. */
export function countUnfinished(db: Database, { org, environment }: LimitHolder): Promise<number> {
  return readTotal(db.em(), `select count(*) ${unfinished}`, [org, environment]);
}

/** Returns the number of encoded styles, and of unfinished artworks of the operation that encodes styles. */
export function countStyles(db: Database, { org, environment }: LimitHolder, operation: string): Promise<number> {
  return readTotal(
    db.em(),
    `select
       (select count(*) from style where org_id = ? and environment = ?)
       + (select count(*) ${unfinished} and operation = ?)`,
    [org, environment, org, environment, operation],
  );
}

/** Returns the bytes of all uploaded files. */
export function sumStoredBytes(db: Database, { org, environment }: LimitHolder): Promise<number> {
  return readTotal(db.em(), 'select coalesce(sum(bytes), 0) from uploaded_file where org_id = ? and environment = ?', [
    org,
    environment,
  ]);
}

/** Returns the number of keys that are neither revoked nor expired. */
export function countKeys(em: EntityManager, { org, environment }: LimitHolder, now: Date): Promise<number> {
  return readTotal(
    em,
    `select count(*)
     from api_key
     where org_id = ? and environment = ? and revoked_at is null and (expires_at is null or expires_at > ?)`,
    [org, environment, now],
  );
}

/**
 * Returns the credits charged since a day, and those reserved for unfinished artworks. One statement sees either the
 * reservation of an artwork or its charge.
 * @param since UTC: `2026-11-01`
 */
export function sumCredits(em: EntityManager, { org, environment }: LimitHolder, since: string): Promise<number> {
  return readTotal(
    em,
    `select
       (select coalesce(sum(credits), 0) from "usage" where org_id = ? and environment = ? and day >= ?::date)
       + (select coalesce(sum(reserved), 0) ${unfinished})`,
    [org, environment, since, org, environment],
  );
}

async function readTotal(em: EntityManager, sql: string, parameters: unknown[]): Promise<number> {
  const [row] = await em.execute<{ total: string }[]>(`select (${sql}) as total`, parameters);
  return Number(row?.total);
}
