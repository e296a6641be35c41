/** Puts the subject in front of something else: a colour, nothing, or a scene that the illustrator draws. */
import { EngineError, type TextToImage } from '../../contract/index.ts';
import { foreground } from '../cutout/decontaminate.ts';
import { decode, type Raster } from '../raster.ts';
import { draw } from '../sketch/draw.ts';
import { read } from '../sketch/read/read.ts';
import type { ObjectEdit, Tone } from './edits.ts';
import { graded } from './grade/lut.ts';
import { fromOklab, oklab } from '../oklab.ts';
import type { Picture } from './picture.ts';
import { subjectOf } from './regions.ts';
import { resized } from '../pixels/resize.ts';
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

/** @throws EngineError when the illustrator knows none of the words: any landscape would be a guess */
function refuseUnknown(scene: string): void {
  const { scenes, subjects, weather, time } = read(scene);
  if (scenes.length + subjects.length + weather.size > 0 || time) return;
  throw new EngineError('input_invalid', 'The scene is nothing that the illustrator knows.', {
    publicMessage: `"${scene.slice(0, 60)}" is no background that this model can draw. It knows places, weather and times of day, such as "a beach at sunset".`,
  });
}

function plain({ width, height }: Raster, tone: Tone): Raster {
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let i = 0; i < data.length; i += 4) for (let k = 0; k < 3; k++) data[i + k] = Math.round(tone[k]! * 255);
  return { width, height, channels: 4, data };
}

/** Drawn at a size that the illustrator knows, cut and enlarged to the picture's. */
async function scenery(prompt: string, { width, height }: Raster, seed: number, nsfw: boolean): Promise<Raster> {
  const scale = Math.min(1, 1280 / Math.max(width, height));
  const size = (n: number): number => clamp(Math.ceil((n * scale) / 8) * 8, 256, 2048);
  const params: TextToImage = {
    prompt,
    negativePrompt: null,
    style: null,
    width: size(width),
    height: size(height),
    seed,
    transparentBackground: false,
    seamless: false,
    nsfw,
    outputFormat: 'png',
  };
  const drawn = await decode({ bytes: await draw('selena', params) });
  return resized(drawn, { width, height });
}

type Light = readonly [number, number, number];

/** Mean lightness and colour of what is opaque. */
function lightOf({ data }: Raster): Light {
  const sum = [0, 0, 0, 0];
  const step = Math.max(1, Math.floor(data.length / 4 / 60_000)) * 4;
  for (let i = 0; i < data.length; i += step) {
    if (data[i + 3]! < 200) continue;
    const lab = oklab([data[i]! / 255, data[i + 1]! / 255, data[i + 2]! / 255]);
    for (let k = 0; k < 3; k++) sum[k] = sum[k]! + lab[k]!;
    sum[3] = sum[3]! + 1;
  }
  const n = Math.max(1, sum[3]!);
  return [sum[0]! / n, sum[1]! / n, sum[2]! / n];
}

/** Only part of the way: the subject stays itself in another light. */
function towards(from: Light, to: Light) {
  const dark = clamp((to[0] - from[0]) * 0.3, -0.12, 0.06);
  const [da, db] = [(to[1] - from[1]) * 0.3, (to[2] - from[2]) * 0.3];
  return (c: readonly [number, number, number]): [number, number, number] => {
    const [L, a, b] = oklab(c);
    const room = 4 * L * (1 - L);
    return fromOklab([L + dark * room, a + da * (0.3 + 0.7 * room), b + db * (0.3 + 0.7 * room)]);
  };
}

function over(upper: Raster, lower: Raster): Raster {
  const data = new Uint8Array(lower.data);
  for (let i = 0; i < data.length; i += 4) {
    const t = upper.data[i + 3]! / 255;
    for (let k = 0; k < 3; k++) data[i + k] = Math.round(data[i + k]! + (upper.data[i + k]! - data[i + k]!) * t);
  }
  return { ...lower, data };
}
