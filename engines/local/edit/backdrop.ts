/** Puts the subject in front of a colour, of nothing, or of a scene that the illustrator draws. */
import { EngineError, type TextToImage } from '../../contract/index.ts';
import { foreground } from '../cutout/background.ts';
import { alphaOf } from '../pixels/alpha.ts';
import { clamp } from '../pixels/range.ts';
import { resized } from '../pixels/resize.ts';
import { decode, type Raster } from '../raster.ts';
import { draw } from '../sketch/draw.ts';
import { read } from '../sketch/read/read.ts';
import type { LocalEdit, Tone } from './edits.ts';
import { blended, type Picture } from './picture.ts';
import { subjectOf } from './regions.ts';

export async function withBackdrop(
  picture: Picture,
  fill: Extract<LocalEdit, { kind: 'backdrop' }>['fill'],
  { seed, nsfw }: { seed: number; nsfw: boolean },
): Promise<Raster> {
  const { raster } = picture;
  if (typeof fill === 'object' && 'scene' in fill) refuseUnknown(fill.scene);
  const cutOut = await foreground(raster, await subjectOf(picture));
  if (fill === 'transparent') return cutOut;
  if (!('scene' in fill)) return over(cutOut, plain(raster, fill));
  return over(cutOut, await scenery(fill.scene, raster, seed, nsfw));
}

/** @throws EngineError `input_invalid` if the illustrator knows none of the words: any landscape would be a guess */
function refuseUnknown(scene: string): void {
  const { scenes, subjects, weather, time } = read(scene);
  if (scenes.length + subjects.length + weather.size > 0 || time) return;
  throw new EngineError('input_invalid', 'The illustrator knows no word of the scene.', {
    publicMessage: `"${scene.slice(0, 60)}" is not a background that this model can draw. It knows places, weather and times of day, such as "a beach at sunset".`,
  });
}

function plain({ width, height }: Raster, tone: Tone): Raster {
  const colour = [...tone.map((value) => Math.round(value * 255)), 255];
  return { width, height, channels: 4, data: new Uint8Array(width * height * 4).map((_, i) => colour[i % 4]!) };
}

/** Draws a scene at a size that the illustrator supports, stretched to the picture's size. */
async function scenery(prompt: string, { width, height }: Raster, seed: number, nsfw: boolean): Promise<Raster> {
  const scale = Math.min(1, 1280 / Math.max(width, height));
  const size = (n: number): number => clamp(Math.ceil((n * scale) / 8) * 8, 256, 2048);
  const params: TextToImage = {
    ...{ prompt, negativePrompt: null, style: null, width: size(width), height: size(height), seed, nsfw },
    ...{ transparentBackground: false, seamless: false, outputFormat: 'png' },
  };
  return resized(await decode({ bytes: await draw('selena', params) }), { width, height });
}

/** Lays a picture with alpha over an opaque one. */
function over(upper: Raster, lower: Raster): Raster {
  return blended(lower, { ...upper, data: upper.data.map((value, i) => (i % 4 === 3 ? 255 : value)) }, alphaOf(upper));
}
