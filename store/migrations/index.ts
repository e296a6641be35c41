/** All migrations, oldest first. Named here, so that a bundle or a rename cannot lose one. */
import { FirstTables } from './0001-first-tables.ts';

export const migrations = [{ name: '0001-first-tables', class: FirstTables }];
