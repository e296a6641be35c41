/** No migration blocks a running service: Squawk checks every one since 2.6.2, whose migrations are older than this rule. */
import { afterAll, expect, test } from '@jest/globals';
import { Migration } from '@mikro-orm/migrations';
import { openForMigration } from '../../store/migrate.ts';
import { migrations } from '../../store/migrations/index.ts';
import { createIndexSql, type MigrationStep } from '../../store/migrations/migration-step.ts';
import { shared } from '../support/shared.ts';
import { squawk } from '../support/squawk.ts';

const lastUnchecked = '0009-census';
const checked = migrations.filter(({ name }) => name > lastUnchecked);

const orm = openForMigration(shared().databaseUrl);
afterAll(() => orm.close(true));

async function problemsOf(step: MigrationStep): Promise<string> {
  const migration = new step.class(orm.em.getDriver(), orm.config);
  await migration.up();
  const statements = migration.getQueries().map((query) => (typeof query === 'string' ? `${query};` : ''));
  const indexes = (step.indexes ?? []).map((index) => `${createIndexSql(index)};`);
  const [before, inTransaction] = await Promise.all([
    squawk(indexes.join('\n'), { inTransaction: false }),
    squawk(statements.join('\n'), { inTransaction: true }),
  ]);
  return before + inTransaction;
}

test('no migration blocks reads and writes', async () => {
  for (const step of checked) expect([step.name, await problemsOf(step)]).toEqual([step.name, '']);
});

class Blocking extends Migration {
  override up(): void {
    this.addSql('alter table "artwork" alter column "prompt" type varchar(9)');
  }
}

test('finds what blocks in the transaction of a migration', async () => {
  expect(await problemsOf({ name: '9999-blocking', class: Blocking })).toContain('changing-column-type');
});

test.each([
  ['create index artwork_status on artwork (status);', 'require-concurrent-index-creation'],
  ['alter table artwork add column note text not null;', 'adding-required-field'],
  ['alter table artwork alter column note type varchar(9);', 'changing-column-type'],
  ["alter table artwork add constraint c check (note <> '');", 'constraint-missing-not-valid'],
  ['alter table artwork add constraint f foreign key (note) references style (id);', 'adding-foreign-key-constraint'],
  ['alter table artwork alter column note set not null;', 'adding-not-nullable-field'],
  ['alter table artwork drop column note;', 'ban-drop-column'],
  ['alter table artwork rename column note to notes;', 'renaming-column'],
])('rejects %p', async (sql, rule) => {
  expect(await squawk(sql, { inTransaction: true })).toContain(rule);
});

test.each([
  'alter table artwork add column note text null;',
  'alter table artwork add column notes int not null default 0;',
  "alter table artwork add constraint c check (note <> '') not valid;",
  'alter table artwork validate constraint c;',
  'create table note (id text not null, primary key (id)); create index note_id on note (id);',
])('accepts %p', async (sql) => {
  expect(await squawk(sql, { inTransaction: true })).toBe('');
});
