/** Puts the subject in front of a colour, of nothing, or of a scene that the illustrator draws. */
import { EngineError, type TextToImage } from '../../contract/index.ts';
import { foreground } from '../cutout/decontaminate.ts';
import { decode, type Raster } from '../raster.ts';
import { draw } from '../sketch/draw.ts';
import { read } from '../sketch/read/read.ts';
import type { ObjectEdit, Tone } from './edits.ts';
import { graded } from './grade/lut.ts';
import { fromOklab, oklab } from '../oklab.ts';
import { blended, type Picture } from './picture.ts';
import { subjectOf } from './regions.ts';
import { resized } from '../pixels/resize.ts';
import { alphaOf } from '../pixels/alpha.ts';
import { clamp } from '../pixels/range.ts';

export async function beforeBackdrop(
  picture: Picture,
  fill: Extract<ObjectEdit, { kind: 'backdrop' }>['fill'],
  { seed, nsfw }: { seed: number; nsfw: boolean },
): Promise<Raster> {
  const { raster } = picture;
  if (typeof fill === 'object' && 'scene' in fill) refuseUnknown(fill.scene);
  const cutOut = await foreground(raster, await subjectOf(picture));
  if (fill === 'transparent') return cutOut;
  if (!('scene' in fill)) return over(cutOut, plain(raster, fill));
  const scene = await scenery(fill.scene, raster, seed, nsfw);
  return over(graded(cutOut, [towards(lightOf(cutOut), lightOf(scene))]), scene);
}

/** @throws EngineError `input_invalid` if the illustrator knows none of the words: any landscape would be a guess */
function refuseUnknown(scene: string): void {
  const { scenes, subjects, weather, time } = read(scene);
  if (scenes.length + subjects.length + weather.size > 0 || time) return;
  throw new EngineError('input_invalid', 'The scene is nothing that the illustrator knows.', {
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

type Light = readonly [number, number, number];

/** Returns the mean OKLab colour of the opaque pixels. */
function lightOf({ data }: Raster): Light {
  const sum = [0, 0, 0, 0];
  const step = Math.max(1, Math.floor(data.length / 4 / 60_000)) * 4;
  for (let i = 0; i < data.length; i += step) {
    if (data[i + 3]! < 200) continue;
    const lab = oklab([data[i]! / 255, data[i + 1]! / 255, data[i + 2]! / 255]);
    for (let k = 0; k < 3; k++) sum[k]! += lab[k]!;
    sum[3]!++;
  }
  const n = Math.max(1, sum[3]!);
  return [sum[0]! / n, sum[1]! / n, sum[2]! / n];
}

/** Shifts light and colour towards another picture's, but only in part: the subject must keep its look. */
function towards(from: Light, to: Light) {
  const dark = clamp((to[0] - from[0]) * 0.3, -0.12, 0.06);
  const [da, db] = [(to[1] - from[1]) * 0.3, (to[2] - from[2]) * 0.3];
  return (c: readonly [number, number, number]): [number, number, number] => {
    const [L, a, b] = oklab(c);
    const room = 4 * L * (1 - L);
    return fromOklab([L + dark * room, a + da * (0.3 + 0.7 * room), b + db * (0.3 + 0.7 * room)]);
  };
}

/** Lays a picture with alpha over an opaque one. */
function over(upper: Raster, lower: Raster): Raster {
  return blended(lower, { ...upper, data: upper.data.map((value, i) => (i % 4 === 3 ? 255 : value)) }, alphaOf(upper));
}
