/** The file of the price list: each error names its place, the documented example is valid, and no API starts with an invalid list. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readPrices } from '../../services/prices.ts';
import { findOperations } from '../../services/operations.ts';
import { startSharedStack } from '../support/shared.ts';

const operations = await findOperations();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-prices-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(text: string): Promise<string> {
  const file = join(folder, 'prices.json');
  await writeFile(file, text);
  return file;
}

async function refusal(text: string): Promise<string> {
  const file = await written(text);
  const error = await readPrices(file, operations).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Error);
  const { message } = error as Error;
  expect(message).toContain(`${file}:1 /`);
  return message;
}

test('the example of the documentation is a price list', async () => {
  const prices = await readPrices('docs/examples/prices.json', operations);
  expect(Object.keys(prices).length).toBeGreaterThan(10);
});

test('without a file or with an empty list, every operation is free', async () => {
  expect(await readPrices(null, operations)).toEqual({});
  expect(await readPrices(await written('{}'), operations)).toEqual({});
});

test.each<[string, object, string]>([
  ['an unknown operation', { selenna: { base: 1 } }, '/selenna is not known; known fields: depth-map,'],
  [
    'an unknown component',
    { selena: { perPicture: 1 } },
    '/selena/perPicture is not known; known fields: base, perImage',
  ],
  ['a negative number', { selena: { base: -1 } }, '/selena/base must be at least 0'],
  ['a fraction', { selena: { perImage: 0.5 } }, '/selena/perImage must be a whole number'],
  ['a string', { selena: { perImage: '5' } }, '/selena/perImage must be a whole number'],
  ['too large a price', { selena: { base: 1_000_001 } }, '/selena/base must be at most 1000000'],
  ['tokens of an artwork', { selena: { perThousandTokens: 1 } }, '/selena/perThousandTokens is not known'],
  ['images of a synchronous request', { textcraft: { perImage: 1 } }, '/textcraft/perImage is not known'],
  ['no condition', { selena: { overrides: [{ base: 1 }] } }, '/selena/overrides/0/when is missing'],
  [
    'an empty condition',
    { selena: { overrides: [{ when: {}, base: 1 }] } },
    '/selena/overrides/0/when must have at least 1 field',
  ],
  [
    'a field that the operation lacks',
    { upscaling: { overrides: [{ when: { size: 2 }, base: 1 }] } },
    '/upscaling/overrides/0/when/size is not known; known fields: scale, nsfw, outputFormat',
  ],
  [
    'a value that no request can have',
    { upscaling: { overrides: [{ when: { scale: 3 }, base: 1 }] } },
    '/upscaling/overrides/0/when/scale must be one of: 2, 4',
  ],
  [
    'a condition on a prompt',
    { selena: { overrides: [{ when: { prompt: 'a fox' }, base: 1 }] } },
    '/selena/overrides/0/when/prompt is not known',
  ],
])('rejects %s and names its place', async (_name, prices, words) => {
  expect(await refusal(JSON.stringify(prices))).toContain(words);
});

test('names all errors at once, and reports a file that is missing or not JSON', async () => {
  const message = await refusal('{"a": {}, "selena": {"base": -1}, "textcraft": 5}');
  expect(message.split('\n')).toHaveLength(3);
  await expect(readPrices(await written('{"selena":'), operations)).rejects.toThrow(
    `${join(folder, 'prices.json')}:1 `,
  );
  expect(await refusal('[]')).toContain('must be an object');
  await expect(readPrices(join(folder, 'none.json'), operations)).rejects.toThrow('cannot be read (ENOENT)');
});

test('the API does not start with an invalid price list and says why', async () => {
  const stack = await startSharedStack({ workers: 0, apis: 0 });
  const ATELIER_PRICES = await written('{"selena": {"perImage": -2}}');
  await expect(stack.startApi(0, { ATELIER_PRICES, PORT: '0' })).rejects.toThrow('/selena/perImage must be at least 0');
  await stack.stop();
});
