/** The id of the request that created an artwork, which Temporal no longer stores. */
import { Migration } from '@mikro-orm/migrations';

export class RequestIds extends Migration {
  override up(): void {
    this.addSql(`alter table "artwork" add column "request_id" text null`);
  }
}
