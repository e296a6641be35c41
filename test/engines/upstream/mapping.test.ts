/** An operator's template: the input that it produces, the fields that it refuses, and mistakes in it. */
import { expect, test } from '@jest/globals';
import { compileMapping } from '../../../engines/upstream/mapping.ts';
import type { EditImage, TextToImage, Upscale, VaryImage } from '../../../schemas/tasks.ts';

const picture: TextToImage = {
  prompt: 'A red boat.',
  negativePrompt: null,
  style: null,
  styleWords: null,
  width: 1344,
  height: 768,
  seed: 7,
  transparentBackground: false,
  seamless: false,
  styleDna: null,
  nsfw: false,
  outputFormat: 'png',
};
const image = { bytes: new Uint8Array([1]), contentType: 'image/png', width: 640, height: 480 } as const;
const variation: VaryImage = {
  image,
  prompt: null,
  style: null,
  strength: 0.6,
  seed: 1,
  seamless: false,
  nsfw: false,
  outputFormat: 'png',
};

test('keeps constants, replaces references by values, and omits fields without a value', () => {
  const mapping = compileMapping('text-to-image', {
    prompt: { from: 'prompt' },
    negative_prompt: { from: 'negativePrompt' },
    image_size: { width: { from: 'width' }, height: { from: 'height' } },
    loras: [{ path: 'a', scale: 1 }, { from: 'negativePrompt' }],
    num_images: 1,
    sync: false,
  });
  expect(mapping.fill({ ...picture })).toEqual({
    prompt: 'A red boat.',
    image_size: { width: 1344, height: 768 },
    loras: [{ path: 'a', scale: 1 }],
    num_images: 1,
    sync: false,
  });
});

test.each([
  { from: 'size', fit: { multipleOf: 16, minPixels: 2 ** 20, maxPixels: 2 ** 23, maxSide: 3840 } },
  { from: 'width', fit: { multipleOf: 16, minPixels: 1, maxPixels: 2, maxSide: 3, maxRatio: 4 } },
])('rejects the range of sizes in %j', (value) => {
  expect(() => compileMapping('text-to-image', { prompt: { from: 'prompt' }, value })).toThrow('"fit"');
});

test.each<[string, object, unknown]>([
  ['values', { from: 'nsfw', values: { true: 6, false: 2 } }, 2],
  ['the nearest shape', { from: 'size', nearest: ['1024x1024', '1536x1024', '1024x1536'] }, '1536x1024'],
  ['the nearest ratio', { from: 'aspectRatio', nearest: ['1:1', '16:9', '9:16'] }, '16:9'],
  ['the nearest number', { from: 'width', nearest: [512, 1024, 2048] }, 1024],
  [
    'a size in the range of the model',
    { from: 'size', fit: { multipleOf: 16, minPixels: 2 ** 20, maxPixels: 2 ** 23, maxSide: 3840, maxRatio: 3 } },
    '1360x784',
  ],
  ['a default', { from: 'negativePrompt', default: 'blurry' }, 'blurry'],
  ['the size', { from: 'size' }, '1344x768'],
  ['the aspect ratio', { from: 'aspectRatio' }, '7:4'],
])('fills a field with %s', (_name, value, expected) => {
  const mapping = compileMapping('text-to-image', { prompt: { from: 'prompt' }, value });
  expect(mapping.fill({ ...picture })['value']).toEqual(expected);
});

const ratio = { from: 'aspectRatio', default: 'match_input' };
const ratios = ['1:1', '16:9', '4:3'];
test.each<[string, string | null, object, unknown]>([
  ['a requested ratio', '16:9', ratio, '16:9'],
  ['the default if no ratio is requested', null, ratio, 'match_input'],
  ['the default if no size is requested', null, { from: 'size', default: 'auto' }, 'auto'],
  ['the size of a requested ratio', '16:9', { from: 'size', default: 'auto' }, '1333x750'],
  ['a default that is no shape, as it is', null, { ...ratio, nearest: ratios }, 'match_input'],
  ['the shape nearest to the requested one', '21:9', { ...ratio, nearest: ratios }, '16:9'],
  ['the shape nearest to that of the image', null, { from: 'aspectRatio', nearest: ratios }, '4:3'],
  ['the ratio of the image', null, { from: 'aspectRatio' }, '1333:1001'],
])('fills a field of an edit with %s', (_name, aspectRatio, value, expected) => {
  const odd = { ...image, width: 1333, height: 1001 };
  const edit: EditImage = {
    image: odd,
    instruction: 'x',
    mask: null,
    aspectRatio,
    seed: 1,
    nsfw: false,
    outputFormat: 'png',
  };
  const mapping = compileMapping('edit-image', { image: { from: 'image' }, to: { from: 'instruction' }, value });
  expect(mapping.fill({ ...edit })['value']).toEqual(expected);
});

test('treats a size from width and height, or from a scale, as requested', () => {
  const size = { from: 'size', default: 'auto' };
  const drawn = compileMapping('text-to-image', { prompt: { from: 'prompt' }, size, shape: ratio });
  expect(drawn.fill({ ...picture })).toMatchObject({ size: '1344x768', shape: '7:4' });
  const larger = compileMapping('upscale', { image: { from: 'image' }, scale: { from: 'scale' }, size, shape: ratio });
  expect(larger.fill({ image, scale: 2 })).toMatchObject({ size: '1280x960', shape: 'match_input' });
});

test('scales a field from 0 to 1 to a range', () => {
  const mapping = compileMapping('vary-image', {
    image: { from: 'image' },
    s: { from: 'strength', range: [0.2, 0.9] },
  });
  expect(mapping.fill({ ...variation, strength: 0.5 })).toEqual({ image, s: 0.55 });
});

test('adds the style in words to the prompt', () => {
  const mapping = compileMapping('text-to-image', { prompt: { from: 'styledPrompt' } });
  const params = { ...picture, style: 'etching', styleWords: 'Etching: Fine ink lines.' };
  expect(mapping.refuses(params)).toEqual([]);
  expect(mapping.fill(params)['prompt']).toBe('A red boat, in the style "Etching: Fine ink lines"');
});

test('rejects a requested field that the mapping ignores, and accepts fields that request nothing', () => {
  const mapping = compileMapping('text-to-image', { prompt: { from: 'prompt' } });
  expect(mapping.refuses({ ...picture })).toEqual([]);
  expect(
    mapping.refuses({
      ...picture,
      negativePrompt: 'fog',
      style: 'etching',
      transparentBackground: true,
      seamless: true,
    }),
  ).toEqual(['negativePrompt', 'style', 'transparentBackground', 'seamless']);
  // With `backgroundMayStay`, transparency is optional; without it, or with false, it is required.
  const cutOut = { ...picture, transparentBackground: true };
  expect(mapping.refuses({ ...cutOut, backgroundMayStay: true })).toEqual([]);
  expect(mapping.refuses({ ...cutOut, backgroundMayStay: false })).toEqual(['transparentBackground']);
  expect(mapping.refuses({ ...cutOut, seamless: true, backgroundMayStay: true })).toEqual(['seamless']);
  const vary = compileMapping('vary-image', { image: { from: 'image' } });
  expect(vary.refuses({ ...variation })).toEqual([]);
  expect(vary.refuses({ ...variation, prompt: 'dusk', strength: 0.9 })).toEqual(['prompt', 'strength']);
  const sharpen = compileMapping('sharpen-detail', { image: { from: 'image' } });
  expect(sharpen.refuses({ image, scale: 1, detail: 0.5 })).toEqual([]);
  expect(sharpen.refuses({ image, scale: 2, detail: 0.9 })).toEqual(['scale', 'detail']);
});

test('names an unsupported value and the supported ones in the message for the client', () => {
  const params: Upscale = { image, scale: 4, nsfw: false, outputFormat: 'png' };
  const mapping = compileMapping('upscale', { image: { from: 'image' }, scale: { from: 'scale', values: { 2: 2 } } });
  expect(() => mapping.fill({ ...params })).toThrow(
    expect.objectContaining({
      code: 'input_invalid',
      publicMessage: 'The model does not support this value of "scale". Supported values: 2.',
    }),
  );
});

test.each<[string, Parameters<typeof compileMapping>, RegExp]>([
  ['no prompt', ['text-to-image', { seed: { from: 'seed' } }], /does not use "prompt"/],
  ['neither prompt nor points', ['segment', { image: { from: 'image' } }], /"prompt" or "points"/],
  ['only one image of a face swap', ['swap-face', { face: { from: 'source' } }], /"target"/],
  ['no scale', ['upscale', { image: { from: 'image' } }], /"scale"/],
  ['a misspelled field', ['text-to-image', { p: { from: 'promt' } }], /unknown field "promt". .*prompt/],
  ['a task without an image as result', ['write', {}], /no provider of images supports the task write/],
])('rejects a template with %s when it is compiled', (_name, given, message) => {
  expect(() => compileMapping(...given)).toThrow(message);
});
