/** Uploaded files, and the image role `input`. */
import { Migration } from '@mikro-orm/migrations';

export class UploadedFiles extends Migration {
  override up(): void {
    this.addSql(`alter table "image" drop constraint "image_role_check"`);
    this.addSql(`
      alter table "image"
        add constraint "image_role_check"
          check ("role" in ('image', 'mask', 'depth', 'anchor', 'input'))
    `);
    this.addSql(`
      create table "uploaded_file" (
        "id" text not null,
        "org_id" text not null,
        "key_id" text not null,
        "content_type" text not null,
        "width" int not null,
        "height" int not null,
        "bytes" int not null,
        "created_at" timestamptz(3) not null,
        "expires_at" timestamptz(3) not null,
        primary key ("id")
      )
    `);
    this.addSql(`create index "uploaded_file_org_id_index" on "uploaded_file" ("org_id")`);
    this.addSql(`
      alter table "uploaded_file"
        add constraint "uploaded_file_org_id_foreign"
          foreign key ("org_id")
          references "organization" ("id")
          on delete cascade
    `);
    this.addSql(`
      alter table "uploaded_file"
        add constraint "uploaded_file_key_id_foreign"
          foreign key ("key_id")
          references "api_key" ("id")
          on delete cascade
    `);
  }
}
