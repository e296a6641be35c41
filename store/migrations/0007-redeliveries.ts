/** How often an artwork's event was asked for again. */
import { Migration } from '@mikro-orm/migrations';

export class Redeliveries extends Migration {
  override up(): void {
    this.addSql(`alter table "artwork" add column "redeliveries" int not null default 0`);
  }
}
