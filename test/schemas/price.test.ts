/** Quotes before the work and charges after it, for every kind of price. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findOperations } from '../../services/operations.ts';
import { charge, free, type PriceList, quote } from '../../schemas/price.ts';
import type { Size } from '../../schemas/request.ts';

const operations = await findOperations();

/** Returns the quote of a request. @param sizes of the input images, as far as they are known */
function quoted(prices: PriceList, name: string, body: Record<string, unknown>, sizes: Record<string, Size> = {}) {
  const operation = operations.find((one) => one.name === name)!;
  const input = operation.complete({ nsfw: false, outputFormat: 'png', ...body }, () => 7);
  return quote(prices, { operation: name, input, plan: operation.plan(input, null), sizes });
}

const price = (...args: Parameters<typeof quoted>) => quoted(...args).price;
const square = (side: number): Size => ({ width: side, height: side });
const fox = { prompt: 'a fox', promptMode: 'servitor', numImages: 1 };
const photo = { image: 'https://example.com/a.jpg' };

test('an operation without a price is free, even if its name is a property of every object', () => {
  expect(quoted({}, 'selena', fox)).toEqual(free);
  expect(quoted({ quantum: { base: 5 } }, 'selena', fox)).toEqual(free);
  expect(quoted({ selena: {} }, 'selena', fox)).toEqual(free);
  expect(quoted({ selena: { perThousandTokens: 0 } }, 'selena', fox)).toEqual(free);
});

test.each<[PriceList[string], object, number]>([
  [{ base: 3 }, {}, 3],
  [{ base: 3, perImage: 2 }, { numImages: 4 }, 11],
  // 1024×1024 and all default ratios are one megapixel.
  [{ perMegapixel: 5 }, {}, 5],
  [{ perMegapixel: 5 }, { aspectRatio: '21:9' }, 5],
  [{ perMegapixel: 5 }, { width: 256, height: 256 }, 5],
  [{ perMegapixel: 5 }, { width: 1536, height: 1024, numImages: 3 }, 30],
  [{ perMegapixel: 5 }, { width: 2048, height: 2048 }, 20],
  [{ base: 1, perImage: 10, perMegapixel: 100 }, { width: 2048, height: 2048, numImages: 2 }, 821],
])('prices text to image by %j: a request with %j costs %d', (own, fields, expected) => {
  expect(price({ selena: own }, 'selena', { ...fox, ...fields })).toBe(expected);
});

test('an enhanced prompt costs no image', () => {
  expect(price({ selena: { perImage: 4 } }, 'selena', { ...fox, promptMode: 'seer' })).toBe(4);
});

test('the last matching override wins, for each component', () => {
  const selena = {
    base: 1,
    perImage: 10,
    overrides: [
      { when: { promptMode: 'seer' }, base: 2 },
      { when: { style: 'watercolor' }, perImage: 20 },
      { when: { promptMode: 'seer', style: 'watercolor' }, base: 5 },
    ],
  };
  const of = (fields: object) => price({ selena }, 'selena', { ...fox, ...fields });
  expect(of({})).toBe(11);
  expect(of({ promptMode: 'seer' })).toBe(12);
  expect(of({ style: 'watercolor' })).toBe(21);
  expect(of({ promptMode: 'seer', style: 'watercolor' })).toBe(25);
  // Values that the service fills in count as well.
  expect(price({ selena: { overrides: [{ when: { aspectRatio: '1:1' }, base: 9 }] } }, 'selena', fox)).toBe(9);
});

test('face-refiner: prices one image per model, or one image of a model that can have its own price', () => {
  const prices = { 'face-refiner': { perImage: 3, overrides: [{ when: { model: 'face-portrait' }, perImage: 5 }] } };
  expect(price(prices, 'face-refiner', photo)).toBe(9);
  expect(price(prices, 'face-refiner', { ...photo, model: 'face-clarity' })).toBe(3);
  expect(price(prices, 'face-refiner', { ...photo, model: 'face-portrait' })).toBe(5);
});

test('segmentation: prices each mask', () => {
  const prices = { segmentation: { base: 1, perImage: 2 } };
  expect(price(prices, 'segmentation', { ...photo, prompts: ['cat', 'dog', 'sky'] })).toBe(7);
  expect(price(prices, 'segmentation', { ...photo, points: [{ x: 1, y: 1, label: 1 }] })).toBe(3);
});

test('upscaling: prices the megapixels of the result, or the maximum while the size of the image is unknown', () => {
  const prices = { upscaling: { perMegapixel: 2 } };
  expect(price(prices, 'upscaling', { ...photo, scale: 2 }, { image: square(1000) })).toBe(8);
  expect(price(prices, 'upscaling', { ...photo, scale: 4 }, { image: square(1000) })).toBe(32);
  expect(price(prices, 'upscaling', { ...photo, scale: 4 })).toBe(128);
});

test('face-swap and assets: assumes that the result is as large as its largest source', () => {
  const swap = { sourceImage: 'file_a', targetImage: 'file_b' };
  const sizes = { sourceImage: square(1000), targetImage: square(2000) };
  expect(price({ 'face-swap': { perMegapixel: 3 } }, 'face-swap', swap, sizes)).toBe(12);
  const asset = { styleDnaId: 'sty_a', prompt: 'a boat', width: 2048, height: 1024, backgroundMode: 'transparent' };
  expect(
    price({ 'style-dna/generate/asset': { perImage: 1, perMegapixel: 3 } }, 'style-dna/generate/asset', asset),
  ).toBe(7);
});

test('generate-anchor: prices the image that it draws, but no input images', () => {
  const prices = { 'style-dna/generate-anchor': { base: 1, perImage: 10 } };
  expect(price(prices, 'style-dna/generate-anchor', { name: 'a', prompt: 'b' })).toBe(11);
  expect(price(prices, 'style-dna/generate-anchor', { name: 'a', images: ['file_a', 'file_b'] })).toBe(1);
});

test('a synchronous request reserves the maximum number of tokens and charges the tokens used', () => {
  const prices = { textcraft: { base: 1, perThousandTokens: 10 } };
  const request = { task: 'copy', prompt: 'a boat', format: 'text' };
  const open = quoted(prices, 'textcraft', request);
  // 8192 tokens of output, 1000 that an engine adds, and those of the request.
  expect(open.price).toBe(101);
  expect(price(prices, 'textcraft', { ...request, maxTokens: 100 })).toBe(21);
  expect(price(prices, 'textcraft', { ...request, maxTokens: 100, prompt: '🦊'.repeat(1000) })).toBe(61);
  const made = (tokens: number) => charge(open, { images: [], tokens });
  expect([0, 1, 1000, 1001, 5000].map(made)).toEqual([1, 11, 11, 21, 51]);
  expect(made(1_000_000)).toBe(open.price);
});

test('charges what was made: fewer or smaller images cost less, and the charge never exceeds the quote', () => {
  const reserved = quoted({ 'face-refiner': { base: 1, perImage: 3, perMegapixel: 2 } }, 'face-refiner', photo, {
    image: square(2000),
  });
  expect(reserved.price).toBe(1 + 3 * (3 + 8));
  const made = (...sides: number[]) => charge(reserved, { images: sides.map(square), tokens: 0 });
  expect(made(2000, 2000, 2000)).toBe(34);
  expect(made(2000)).toBe(12);
  expect(made(1000, 1000)).toBe(11);
  expect(made(4000, 4000, 4000)).toBe(34);
});

test('a charge is always a whole number from 0 to the quoted price', () => {
  const credits = fc.nat({ max: 1_000_000 });
  const own = fc.record({ base: credits, perImage: credits, perMegapixel: credits }, { requiredKeys: [] });
  const side = fc.integer({ min: 1, max: 30_000 });
  const images = fc.array(fc.record({ width: side, height: side }), { maxLength: 10 });
  fc.assert(
    fc.property(own, fc.integer({ min: 1, max: 4 }), images, fc.nat(), (selena, numImages, shown, tokens) => {
      const reserved = quoted({ selena }, 'selena', { ...fox, numImages });
      const charged = charge(reserved, { images: shown, tokens });
      expect(Number.isSafeInteger(reserved.price) && Number.isSafeInteger(charged)).toBe(true);
      expect(charged >= 0 && charged <= reserved.price).toBe(true);
    }),
  );
});
