/** Captures the statements that functions of the store send to PostgreSQL, and explains them. */
import { createRequire } from 'node:module';
import type pg from 'pg';

export interface Sent {
  text: string;
  values: unknown[];
}

interface Plan {
  'Node Type': string;
  'Index Name'?: string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

interface Explained {
  Plan: Plan;
  'Execution Time': number;
}

/** The driver of MikroORM, which may be another copy than ours. */
const driver = createRequire(import.meta.resolve('@mikro-orm/postgresql'))('pg') as typeof pg;

let sent: Sent[] | null = null;

/** Every connection of this process reports its statements from now on. */
export function watchStatements(): void {
  driver.Client.prototype.query = new Proxy(driver.Client.prototype.query, {
    apply(query, client: pg.Client, args: unknown[]): unknown {
      const [text, values] = args;
      if (typeof text === 'string') sent?.push({ text, values: Array.isArray(values) ? values : [] });
      return Reflect.apply(query, client, args);
    },
  });
}

/** Returns the statements of `work`, without those that control a transaction. */
export async function capture(work: () => Promise<unknown>): Promise<Sent[]> {
  const statements: Sent[] = [];
  sent = statements;
  try {
    await work();
  } finally {
    sent = null;
  }
  return statements.filter(({ text }) => /^\s*(select|with|insert|update|delete)/i.test(text));
}

/** Explains statements, undoes their effects, and summarizes the plan of the slowest one. */
export async function explain(client: pg.Client, statements: readonly Sent[]): Promise<string> {
  const explained: Explained[] = [];
  for (const { text, values } of statements) {
    await client.query('begin');
    const { rows } = await client.query<{ 'QUERY PLAN': [Explained] }>(
      `explain (analyze, buffers, timing off, format json) ${text}`,
      values,
    );
    await client.query('rollback');
    if (rows[0]) explained.push(rows[0]['QUERY PLAN'][0]);
  }
  const slowest = explained.toSorted((a, b) => b['Execution Time'] - a['Execution Time'])[0];
  if (!slowest) return 'no statement';
  const { Plan: plan } = slowest;
  const buffers = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  return `${plan['Actual Rows']} rows, ${buffers} buffers: ${[...new Set(scansOf(plan))].join(', ')}`;
}

/** Returns the scans of a plan, such as `Index Scan artwork_pkey`. */
function scansOf(plan: Plan): string[] {
  const own = plan['Node Type'];
  const at = plan['Index Name'] ?? plan['Relation Name'];
  const scan = own.includes('Scan') && at !== undefined ? [`${own} ${at}`] : [];
  return [...scan, ...(plan.Plans ?? []).flatMap(scansOf)];
}
