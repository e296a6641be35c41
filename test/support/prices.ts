/** Writes a price list for a stack. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PriceList } from '../../schemas/price.ts';
import { shared } from './shared.ts';

/** Returns the environment variable with which an API reads the prices. */
export async function priced(prices: PriceList): Promise<{ ATELIER_PRICES: string }> {
  const file = join(shared().folder, `prices-${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(prices));
  return { ATELIER_PRICES: file };
}
