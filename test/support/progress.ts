/** Measures the time until the next progress of any artwork in a stack. */
import pg from 'pg';
import type { Stack } from './stack.ts';

export interface Progress {
  /** Returns the milliseconds from the start of the measurement to the first change in the database. */
  first(): Promise<number>;
  elapsed(): number;
}

const facts = `
  select (select count(*) from call_result) + (select count(*) from delivery)
       + (select count(*) from artwork where started_at is not null)
       + (select count(*) from artwork where finished_at is not null) as count`;

export async function progress({ databaseUrl }: Stack): Promise<Progress> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const count = async () => Number((await client.query<{ count: string }>(facts)).rows[0]?.count);
  const before = await count();
  const start = performance.now();
  const elapsed = () => Math.round(performance.now() - start);
  return {
    elapsed,
    async first() {
      while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 10));
      await client.end();
      return elapsed();
    },
  };
}
