/** Reads instructions as edits, and rejects an instruction that it understands only in part. */
import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { EngineError } from '../../contract/index.ts';
import { editList, type Edit } from '../edit/edits.ts';
import { abilities, read } from '../edit/read/index.ts';

/** Returns an edit in short: its kind, its values and its place. */
function short(edit: Edit): string {
  const { kind, ...rest } = edit;
  const { where, ...said } = rest as { where?: { noun: string; outside?: boolean } } & Record<string, unknown>;
  const values = Object.values(said).map((value) =>
    typeof value === 'number' ? Number(value.toFixed(2)) : Array.isArray(value) ? hex(value as number[]) : value,
  );
  const words = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return [kind, ...words, ...(where ? [`${where.outside ? '!' : '@'}${where.noun}`] : [])].join(' ');
}

const hex = (tone: readonly number[]): string =>
  `#${tone
    .map((v) =>
      Math.round(v * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

const understood: [instruction: string, edits: string[]][] = [
  // light
  ['make it brighter', ['exposure 0.6']],
  ['Brighten the photo a bit.', ['exposure 0.3']],
  ['Could you please make this picture MUCH brighter?', ['exposure 1.02']],
  ['increase brightness by 30%', ['exposure 0.83']],
  ["it's too dark", ['exposure 0.6']],
  ['make it less dark', ['exposure 0.6']],
  ['darken', ['exposure -0.6']],
  ['reduce the exposure slightly', ['exposure -0.3']],
  ['the image is too bright', ['exposure -0.6']],
  ['lift the shadows', ['shadows 0.4']],
  ['soften the shadows', ['shadows 0.4']],
  ['darken the shadows', ['shadows -0.4']],
  ['recover the highlights', ['highlights -0.4']],
  ['tone down the highlights', ['highlights -0.4']],
  // contrast
  ['more contrast', ['contrast 0.3']],
  ['reduce contrast', ['contrast -0.3']],
  ['make it punchier', ['contrast 0.3']],
  ['less contrast and saturation', ['contrast -0.3', 'saturation 0.6']],
  ['increase the contrast and the saturation a bit', ['contrast 0.3', 'saturation 1.18']],
  // colour
  ['warm it up', ['temperature 0.4']],
  ['make it a little warmer', ['temperature 0.2']],
  ['cool it down', ['temperature -0.4']],
  ['add a warm tone', ['temperature 0.4']],
  ['more vivid colours', ['saturation 1.35']],
  ['the colors are too dull', ['saturation 1.35']],
  ['make the sky brighter and less saturated', ['exposure 0.6 @sky', 'saturation 0.6 @sky']],
  ['reduce noise and grain', ['denoise 0.6', 'denoise 0.6']],
  ['remove the people from the background', ['remove @people']],
  ['hide the car', ['remove @car']],
  ['use a forest as the background', ['backdrop {"scene":"a forest"}']],
  ['desaturate by 50%', ['saturation 0.5']],
  ['Muted colours, please!', ['saturation 0.6']],
  ['make the colours pop', ['contrast 0.18', 'saturation 1.28']],
  ['add a blue tint', ['tint #3a6fc4 0.45']],
  ['tint it orange', ['tint #e8842a 0.7']],
  ['add a little more blue', ['tint #3a6fc4 0.17']],
  ['less yellow', ['tint #f0c93a -0.35']],
  ['no green', ['tint #4a9a4a -0.35']],
  ['make it black and white', ['monochrome']],
  ['convert to B&W', ['monochrome']],
  ['turn the photo into grayscale, then increase contrast', ['monochrome', 'contrast 0.3']],
  ['remove the color', ['monochrome']],
  ['sepia', ['sepia 1']],
  ['give it a vintage look', ['vintage 1']],
  ['invert the colors', ['invert']],
  // detail
  ['blur the image slightly', ['blur 0.3']],
  ['sharpen', ['sharpen 0.6']],
  ['make it crisper', ['sharpen 0.6']],
  ['make it less blurry', ['sharpen 0.8']],
  ['reduce noise', ['denoise 0.6']],
  ['remove the grain', ['denoise 0.6']],
  ['there should be no noise', ['denoise 0.6']],
  ['smooth the skin', ['denoise 0.7 @face']],
  ['add clarity', ['clarity 0.5']],
  ['HDR look', ['clarity 0.5']],
  ['add a strong vignette and film grain', ['vignette 0.85', 'grain 0.5']],
  ['remove haze', ['clarity 0.5', 'contrast 0.2', 'saturation 1.12']],
  ['enhance the photo', ['auto']],
  ['fix the exposure', ['auto']],
  ['pixelate it', ['pixelate 1']],
  // background
  ['blur the background', ['defocus 0.6']],
  ['blur the background a lot but keep the subject sharp', ['defocus 1.02']],
  ['add bokeh', ['defocus 0.6']],
  ['make the background white', ['backdrop #ffffff']],
  ['make the background #ff8800', ['backdrop #ff8800']],
  ['change the background to dark blue', ['backdrop #203d6c']],
  ['replace the background with a beach at sunset', ['backdrop {"scene":"a beach at sunset"}']],
  [
    'replace the background with a very dark forest and a lake, then make it warmer',
    ['backdrop {"scene":"a very dark forest, a lake"}', 'temperature 0.4'],
  ],
  ['remove the background', ['backdrop #ffffff']],
  ['remove the background and make it transparent', ['backdrop transparent']],
  ['the background must be transparent', ['backdrop transparent']],
  ['put him on a beach background', ['backdrop {"scene":"a beach"}']],
  ['put the dog in front of a dark blue background', ['backdrop #203d6c']],
  ['put it over a red background', ['backdrop #c8322e']],
  ['cut out the subject', ['backdrop #ffffff']],
  ['cut out the main subject from the background', ['backdrop #ffffff']],
  ['isolate the subject', ['backdrop #ffffff']],
  ['focus on the subject', ['defocus 0.6']],
  ['make the subject pop', ['defocus 0.6']],
  // frame
  ['crop to a square', ['crop 1:1']],
  ['crop to 16:9', ['crop 16:9']],
  ['crop to 4x5', ['crop 4:5']],
  ['crop to the face', ['crop face']],
  ['zoom in', ['crop 1.4']],
  ['crop 10% off the left side', ['crop {"left":10,"right":0,"top":0,"bottom":0}']],
  ['extend to 16:9', ['extend 16:9']],
  ['outpaint to a wide 16:9 format', ['extend 16:9']],
  ['extend the left side by 20 %', ['extend {"left":20,"right":0,"top":0,"bottom":0}']],
  ['uncrop', ['extend {"left":20,"right":20,"top":20,"bottom":20}']],
  ['rotate 90 degrees left', ['rotate -90']],
  ['rotate by 90° clockwise', ['rotate 90']],
  ['rotate by 7 degrees', ['rotate 7']],
  ['turn it upside down', ['rotate 180']],
  ['straighten the horizon', ['straighten']],
  ['flip horizontally', ['flip horizontal']],
  ['mirror it', ['flip horizontal']],
  ['flip vertically', ['flip vertical']],
  ['half the size', ['resize 0.5']],
  // things
  ['remove the person', ['remove @person']],
  ['remove the man and the dog', ['remove @man', 'remove @dog']],
  ['make the car red', ['recolour #c8322e @car']],
  ['change the sofa to blue', ['recolour #3a6fc4 @sofa']],
  ['colour of the cup green', ['recolour #4a9a4a @cup']],
  ['make the sky blue and the car red', ['recolour #3a6fc4 @sky', 'recolour #c8322e @car']],
  ['blur the faces', ['censor blur']],
  ['pixelate the face', ['censor pixelate']],
  ['cover the face', ['censor pixelate']],
  ['cover up her face', ['censor pixelate']],
  ['hide her face', ['censor blur']],
  ['the sofa should be red', ['recolour #c8322e @sofa']],
  ['cut out the dog', ['remove @dog']],
  ['brighten the face', ['exposure 0.6 @face']],
  ['make the background black and white', ['monochrome @background']],
  ['make everything except the dog black and white', ['monochrome !dog']],
  ['keep only the cat in color', ['monochrome !cat']],
  ['remove the cup from the table', ['remove @cup']],
  ['darken the sky', ['exposure -0.6 @sky']],
  // kept parts
  ['keep the composition and the colours, brighten', ['exposure 0.6']],
  // less of a quality
  ['add less contrast', ['contrast -0.3']],
  ['give it less saturation', ['saturation 0.6']],
  ['apply less vignette', ['vignette -0.5']],
  // changes by a percentage and to one
  ['increase the saturation by 50%', ['saturation 1.5']],
  ['saturation +50%', ['saturation 1.5']],
  ['20% brighter', ['exposure 0.58']],
  ['scale down by 30%', ['resize 0.7']],
  ['scale it down to 30%', ['resize 0.3']],
  ['resize to 60%', ['resize 0.6']],
  ['zoom in by 20%', ['crop 1.2']],
  // crops to a part
  ['crop to the sky', ['crop sky']],
  // all but
  ['blur everything except the background', ['blur 0.6 !background']],
  ['blur everything outside of the car', ['blur 0.6 !car']],
  ['blur everything except for the main subject', ['defocus 0.6']],
  // several
  ['make the sky warmer and darker, then sharpen', ['temperature 0.4 @sky', 'exposure -0.6 @sky', 'sharpen 0.6']],
  ['make the photo brighter and warmer', ['exposure 0.6', 'temperature 0.4']],
  ['Remove the background and replace it with a solid blue color', ['backdrop #3a6fc4']],
  ['soften her skin', ['denoise 0.7 @face']],
  ['blur the face a bit', ['censor blur']],
  ['leave everything else unchanged and make it warmer', ['temperature 0.4']],
  ['brightness +20%, contrast -10%', ['exposure 0.58', 'contrast -0.1']],
  ['Make the image brighter but keep the highlights', ['exposure 0.6']],
  [
    'lift shadows, sharpen, and crop to a square; then flip it',
    ['shadows 0.4', 'sharpen 0.6', 'crop 1:1', 'flip horizontal'],
  ],
  ['make it brighter and warmer, with more contrast', ['exposure 0.6', 'temperature 0.4', 'contrast 0.3']],
  ['Make it a bit less bright, and a lot more saturated.', ['exposure -0.3', 'saturation 1.59']],
];

const isEditList = new Ajv2020({ allErrors: true }).compile(editList);

test.each(understood)('reads "%s"', (instruction, edits) => {
  const list = read(instruction, { mask: false });
  expect(list.map(short)).toEqual(edits);
  isEditList(list);
  expect(isEditList.errors).toBeNull();
});

test.each([
  [],
  [{ kind: 'exposure' }],
  [{ kind: 'crop', ratio: 'wide' }],
  [{ kind: 'crop', ratio: '1:1', zoom: 2 }],
  [{ kind: 'invent', amount: 1 }],
  [{ kind: 'tint', colour: [0, 2, 0], amount: 1 }],
])('rejects %j as a list of edits', (...list) => {
  expect(isEditList(list)).toBe(false);
});

test.each<[string, string[]]>([
  ['remove this', ['remove']],
  ['remove', ['remove']],
  ['erase the marked area', ['remove']],
  ['brighten this area', ['exposure 0.6']],
  ['remove the lamp post', ['remove @lamp post']],
  ['make it red', ['recolour #c8322e']],
])('reads "%s" with a mask', (instruction, edits) => {
  expect(read(instruction, { mask: true }).map(short)).toEqual(edits);
});

test.each([
  'add a dog',
  'make him smile',
  'make him smile and brighten',
  'brighten and make him smile',
  'brighten the room with lamps',
  'write hello on it',
  'make it anime',
  'make it look like a painting by van gogh',
  'turn him into a dragon',
  'make the man taller',
  'add more people in the background',
  'remove his smile',
  'change the background',
  "don't blur the background",
  'remove this',
  'what is this?',
  'no hide her face',
  'no blur the face',
  'remove hide her face',
  'make her white',
  'reduce noise and make the sky bluer or redder',
  'make the background a bit',
  'color pop',
  'without the sofa should be red',
  'the background must not be transparent',
  'remove the background a bit',
  'add clouds to the background',
  'more bokeh on the fence',
  'except him',
  'brighten everything except him',
  'make everything but him black and white',
  'make it',
  '…',
  'flip a coin',
  'erase the person on the left',
  'remove the people in the background',
  'rotate the wheel of the car',
  'crop the hair',
  'crop to 100x100',
  'resize to 500x500',
  'resize to 900x600',
  'Brighten up her future prospects',
  "don't touch the sky, don't touch the dog, make it warmer",
  "don't touch the dog",
  'keep the dog and the cat in colour, make it black and white',
  'make it black and white but keep the dog and the cat in colour',
  'add contrast but not too dramatic',
  'make it brighter but not too saturated',
  'make it brighter, but not too dark',
  'make it black and white but not too much',
  'brighten by 30%, but not too much',
  'brighten the too dark shadows',
  'increase the contrast less',
  'without blurring the background, make it warmer',
  'blur everything except the dog and the cat',
  'blur everything but the man and his dog',
  'saturation 50%',
  'brightness 80%',
  'set saturation to 100%',
  'increase saturation to 50%',
  'set sharpness to 50%',
  'scale by 30%',
  'extend to 120%',
  'crop to the left',
  'crop to the top left quarter',
  // too rare for the embedded reader
  'make it twice as bright',
  'not so dark',
  'not so saturated',
  'add a not too strong vignette',
  'retro film look with grain',
  'make the subject stand out, but not too much',
  'more bokeh on the dog',
  'make it widescreen by extending the sides',
  'make it black and white but keep the dog in colour',
  'keep the face unchanged and make it warmer',
  'Without touching the dog, make it black and white',
  "don't touch the sky, make it black and white",
  'keep the dog as it is, make it warmer and brighter',
  'keep the subject sharp, blur the picture and make it warmer',
  'make it black and white but keep the dog in colour, then make it brighter',
  'keep the face unchanged and crop to a square',
  'make it brighter but not too bright',
  'make it darker, but not too dark',
  'sharpen it, but not too much',
  'blur the background, but not too much',
  'blur the background but not too blurry',
  'warm but not too warm',
  'saturate the colours, but not so much',
  'make it brighter and warmer but not too bright',
  'make it pop but not too saturated',
  'make the sky bluer but not too blue',
  "brighten the face, don't overdo it",
  'zoom in, but not too far',
  'make it warmer and not so saturated',
  'brighten not too much',
  'sharpen it not too strongly',
  'the contrast is too low',
  'the contrast is too high',
  'add more contrast with less saturation',
  'give it low contrast',
  'enhance with less noise',
  'set saturation to 50%',
  'saturation at 0%',
  'set the saturation to 150%',
  'double the saturation',
  'desaturate to 30%',
  'reduce saturation to a third',
  'set brightness to 120%',
  'reduce brightness to 80%',
  'increase contrast to 120%',
  'set contrast to -20%',
  'vignette at 50%',
  'resize by 50%',
  'zoom to 200%',
  'crop to the left half',
  'crop to the top third',
  'crop to the right 30%',
  'cut it to the right half',
  'crop the left half',
  'cut off the left half',
  'crop it to 50% of the width',
  'crop to 80%',
  'blur it around the face',
  'blur everything but him',
  'blur everything around him',
  'blur everything behind the dog',
  'fill the frame to 16:9',
  'brighten it, a bit',
  'crop it slightly to 16:9',
  'keep it warm',
  'blur the skin',
  'make it black and white with high contrast',
  'keep the subject sharp, blur the picture',
  'anonymise everyone',
  'use a beach background',
  'make it bluer',
  'make the sky bluer and darker, then sharpen',
  'set contrast +20%',
])('rejects "%s" as a whole', (instruction) => {
  const attempt = (): Edit[] => read(instruction, { mask: false });
  expect(attempt).toThrow(EngineError);
  expect(attempt).toThrow(expect.objectContaining({ code: 'input_invalid' }));
});

test('quotes the shortened clause in a rejection and lists the supported edits', () => {
  const long = `brighten, ${'and add a dog that jumps '.repeat(9)}`;
  let said = '';
  try {
    read(long, { mask: false });
  } catch (error) {
    said = (error as EngineError).publicMessage ?? '';
  }
  const quoted = /"(.*)"/u.exec(said)?.[1] ?? '';
  expect(quoted).toMatch(/add a dog/);
  expect(quoted.length).toBeLessThanOrEqual(60);
  for (const ability of abilities) expect(said).toContain(ability);
});
