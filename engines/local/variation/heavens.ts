/** Replaces a photograph's sky with the sky that the prompt describes. */
import { createCanvas } from '../sketch/canvas.ts';
import { blur } from '../pixels/blur.ts';
import { paintHeavens } from '../sketch/paint/sky.ts';
import type { Stage } from '../sketch/paint/stage.ts';
import { paintSubjects } from '../sketch/subjects/arrange.ts';
import type { Sky } from './sky.ts';
import type { Wish } from './wish.ts';
import { lumaOf } from '../pixels/luma.ts';

/** Share of the picture below which a sky has no room for flying objects. */
const room = 0.14;

function wantsSky({ brief, time }: Wish): boolean {
  const { weather, lamps } = brief;
  return time !== null || lamps.size > 0 || weather.has('clouds') || weather.has('rainbow') || weather.has('clear');
}

/** Paints the wanted sky and flying objects, both behind everything in front of the sky. */
export async function paintSkyOver(stage: Stage, sky: Sky, wish: Wish, amount: number): Promise<void> {
  const { canvas, brief } = stage;
  const { width, height, rgb } = canvas;
  const flying = sky.share < room ? [] : brief.subjects.filter(({ thing }) => thing.place === 'sky');
  const other = wantsSky(wish);
  if (!other && flying.length === 0) return;
  const heavens: Stage = {
    ...stage,
    canvas: createCanvas(width, height),
    brief: { ...brief, subjects: flying, scenes: [] },
  };
  if (other) paintHeavens(heavens);
  else heavens.canvas.rgb.set(rgb);
  // The photograph's clouds show through: the new sky is lighter where the old one was.
  const grey = lumaOf(canvas.rgb);
  const around = blur(grey, width, height, 1, 60 * canvas.unit);
  if (other)
    for (let p = 0; p < rgb.length; p++)
      heavens.canvas.rgb[p]! *= 1 + (grey[Math.floor(p / 3)]! - around[Math.floor(p / 3)]!) * 0.8;
  if (flying.length > 0) await paintSubjects(heavens);
  for (let i = 0; i < grey.length; i++) {
    const a = sky.mask[i]! * amount;
    if (a <= 0) continue;
    for (let p = i * 3; p < i * 3 + 3; p++) rgb[p] = rgb[p]! + (heavens.canvas.rgb[p]! - rgb[p]!) * a;
  }
}
