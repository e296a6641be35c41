/** The last batch of usage counts of each process, so that no batch is added twice. */
import { Migration } from '@mikro-orm/migrations';

export class UsageBatches extends Migration {
  override up(): void {
    this.addSql(`
      create table "usage_batch" (
        "counter" text primary key,
        "number" bigint not null,
        "saved_at" timestamptz(3) not null
      )
    `);
  }
}
