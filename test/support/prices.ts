/** A price list in a file of its own, for a stack to start with. */
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PriceList } from '../../schemas/price.ts';
import { shared } from './shared.ts';

/** @returns what goes into the environment of an API */
export async function priced(prices: PriceList): Promise<{ ATELIER_PRICES: string }> {
  const file = join(shared().folder, `prices-${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(prices));
  return { ATELIER_PRICES: file };
}
