/** Reads the operator's price list. */
import { readOperatorFile } from '../runtime/operator-file.ts';
import type { Operation } from '../schemas/operation.ts';
import type { PriceList } from '../schemas/price.ts';
import { priceListSchema } from '../schemas/price-list.ts';

/**
 * @param file null when everything is free
 * @throws Error that lists every mistake with its line
 */
export async function readPrices(file: string | null, operations: readonly Operation[]): Promise<PriceList> {
  if (file === null) return {};
  const { value } = await readOperatorFile(file, priceListSchema(operations), 'ATELIER_PRICES');
  return value as PriceList;
}
