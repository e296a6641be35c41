/** Leases on submissions whose outcome is not known yet, and the number of submissions that may have been charged for. */
import { Migration } from '@mikro-orm/migrations';

export class SubmissionLeases extends Migration {
  override up(): void {
    this.addSql(`
      alter table "job"
        add column "charges" int not null default 0,
        add column "leased_until" timestamptz(3) null
    `);
  }
}
