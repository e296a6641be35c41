/** The number of redeliveries that clients have requested for an artwork. */
import { Migration } from '@mikro-orm/migrations';

export class Redeliveries extends Migration {
  override up(): void {
    this.addSql(`alter table "artwork" add column "redeliveries" int not null default 0`);
  }
}
