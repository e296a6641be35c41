/** `operator prices …`: shows and checks the price list as the API reads it. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { readPrices } from '../services/prices.ts';
import { findOperations } from '../services/operations.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';

/** @param configured the file in `ATELIER_PRICES`; null when there is none */
export function priceCommands(context: Context, configured: string | null): Command {
  const prices = new Command('prices').description('show and check the price list');
  prices
    .command('show')
    .description('show the price of each operation in the file of ATELIER_PRICES')
    .action(async () => {
      const operations = await findOperations();
      const list = await readPrices(configured, operations);
      const rows = operations.map(({ name }) => [name, list[name] ?? { base: 0 }] as const);
      const shown = rows.map(([name, price]) => [name, context.isJson() ? price : JSON.stringify(price)] as const);
      print(context, Object.fromEntries(shown));
    });
  prices
    .command('check')
    .description('check whether the API can start with a price list')
    .argument('[file]', 'the price list; the file of ATELIER_PRICES when omitted')
    .action(async (given: string | undefined) => {
      const file = given === undefined ? configured : resolve(given);
      if (file === null) throw new Error('There is no price list to check. Name a file, or set ATELIER_PRICES.');
      const list = await readPrices(file, await findOperations());
      print(context, { file, valid: true, priced: Object.keys(list) });
    });
  return prices;
}
