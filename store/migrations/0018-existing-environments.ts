/** The environment of objects that test keys created before the last migration, and the indexes for lists by environment. */
import { Migration } from '@mikro-orm/migrations';
import type { OnlineIndex } from './migration-step.ts';

export const environmentIndexes: readonly OnlineIndex[] = [
  ...['org_id', 'key_id'].map((owner) => ({
    name: `artwork_${owner}_environment_operation_status_id_index`,
    definition: `on "artwork" ("${owner}", "environment", "operation", "status", "id")`,
  })),
  { name: 'style_org_id_environment_id_index', definition: `on "style" ("org_id", "environment", "id")` },
  {
    name: 'uploaded_file_org_id_environment_id_index',
    definition: `on "uploaded_file" ("org_id", "environment", "id")`,
  },
  { name: 'uploaded_file_key_id_id_index', definition: `on "uploaded_file" ("key_id", "id")` },
  {
    name: 'usage_org_id_environment_day_index',
    definition: `on "usage" ("org_id", "environment", "day") include ("requests", "artworks", "credits")`,
  },
];

/** The primary keys. */
const tables = {
  usage: ['org_id', 'day', 'operation', 'key_id'],
  style: ['id'],
  uploaded_file: ['id'],
  artwork: ['id'],
};

/** Up to a thousand rows of test keys. An index by key has the rows of the largest table. */
const rowsOf = (table: string, columns: string) =>
  table === 'artwork'
    ? `select "wrong"."id"
       from "api_key"
       cross join lateral (
         select "id" from "artwork" where "key_id" = "api_key"."id" and "environment" = 'live' limit 1000
       ) as "wrong"
       where "api_key"."environment" = 'test'
       limit 1000`
    : `select ${columns}
       from "${table}"
       where "environment" = 'live' and "key_id" in (select "id" from "api_key" where "environment" = 'test')
       limit 1000`;

export const environmentSlices: readonly string[] = Object.entries(tables).map(([table, names]) => {
  const columns = names.map((name) => `"${name}"`).join(', ');
  return `update "${table}" set "environment" = 'test' where (${columns}) in (${rowsOf(table, columns)})`;
});

export class ExistingEnvironments extends Migration {
  override up(): void {
    for (const table of Object.keys(tables)) {
      this.addSql(`alter table "${table}" validate constraint "${table}_environment_check"`);
    }
  }
}
