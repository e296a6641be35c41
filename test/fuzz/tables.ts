/** The tables of parsers. Each loads the code that it tests when it is opened. */
import type { Table } from './parser.ts';

export const tables = {
  schemas: () => import('./parsers/schemas.ts'),
  images: () => import('./parsers/images.ts'),
  store: () => import('./parsers/store.ts'),
  runtime: () => import('./parsers/runtime.ts'),
  api: () => import('./parsers/api.ts'),
  activities: () => import('./parsers/activities.ts'),
  language: () => import('./parsers/language.ts'),
  providers: () => import('./parsers/providers.ts'),
  operator: () => import('./parsers/operator.ts'),
} satisfies Record<string, () => Promise<Table>>;

/** A table of parsers each of which breaks a rule, to test that the process finds them. */
export const broken = () => import('./broken-parsers.ts');

export type TableName = keyof typeof tables | 'broken';

export const tableNames = Object.keys(tables) as (keyof typeof tables)[];
