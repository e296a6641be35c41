/** Reads the operator's price list. */
import { readFile } from 'node:fs/promises';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Operation } from '../schemas/operation.ts';
import type { PriceList } from '../schemas/price.ts';
import { priceListSchema } from '../schemas/price-list.ts';

/**
 * @param file null: everything costs nothing
 * @throws Error that names the file and every place in it to change
 */
export async function readPrices(file: string | null, operations: readonly Operation[]): Promise<PriceList> {
  if (file === null) return {};
  const fail = (reason: string) => new Error(`The price list ${file} cannot be used: ${reason}`);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw fail(cause instanceof Error ? cause.message : String(cause));
  });
  let prices: unknown;
  try {
    prices = JSON.parse(text);
  } catch (cause) {
    throw fail(`it is not valid JSON: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  const faults = findFaults(prices, operations);
  if (faults.length > 0) throw fail(faults.map((fault) => `\n  ${fault}`).join(''));
  return prices as PriceList;
}

/** @returns what is wrong with a price list, each with the JSON pointer of its place */
function findFaults(prices: unknown, operations: readonly Operation[]): string[] {
  const check = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(priceListSchema(operations));
  return check(prices) ? [] : (check.errors ?? []).map(describe);
}

function describe({ instancePath, keyword, params, parentSchema, message }: ErrorObject): string {
  const details = params as Record<string, unknown>;
  const at = instancePath || '/';
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema?.['properties'] ?? {}) as object).join(', ');
    const step = String(details['additionalProperty']).replaceAll('~', '~0').replaceAll('/', '~1');
    return `${instancePath}/${step} is not known; ${known ? `here can be: ${known}` : 'nothing can be here'}`;
  }
  if (keyword === 'enum') return `${at} must be one of: ${(details['allowedValues'] as unknown[]).join(', ')}`;
  return `${at} ${message ?? 'is not valid'}`;
}
