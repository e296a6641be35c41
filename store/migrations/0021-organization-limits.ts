/** The own limits of organizations, and the indexes that count what they use. */
import { Migration } from '@mikro-orm/migrations';
import type { OnlineIndex } from './migration-step.ts';

export const limitIndexes: readonly OnlineIndex[] = [
  {
    name: 'artwork_org_unfinished_index',
    definition: `on "artwork" ("org_id", "environment") include ("reserved") where finished_at is null and status <> 'ABANDONED'`,
  },
  {
    name: 'uploaded_file_org_bytes_index',
    definition: `on "uploaded_file" ("org_id", "environment") include ("bytes")`,
  },
];

export class OrganizationLimits extends Migration {
  override up(): void {
    this.addSql(`alter table "organization" add column "limits" jsonb null`);
  }
}
