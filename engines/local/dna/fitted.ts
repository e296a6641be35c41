/** Finds the recolouring that gives a picture a style's colours, corrected in rounds until its light matches. */
import type { StyleMeasure } from '../../contract/index.ts';
import { fromOklab, oklab } from '../oklab.ts';
import type { Weighted } from './colours.ts';
import { colourOf, fullWarmth, lightOf } from './light.ts';
import { swatchesOf } from './palette.ts';
import { type Recolouring, recolouring } from './transport.ts';
import { clamp } from '../pixels/range.ts';

const rounds = 4;

export function fitted(picture: readonly Weighted[], { palette, light, colour }: StyleMeasure): Recolouring {
  const swatches = swatchesOf(palette);
  const middle = swatches.reduce((sum, { lab, weight }) => sum + lab[0] * weight, 0);
  let [lift, gain, chroma, warm] = [0, 1, 1, 0];
  for (let round = 0; ; round++) {
    const style = swatches.map(({ lab: [l, a, b], weight }): Weighted => {
      const moved = clamp(middle + (l - middle) * gain + lift, 0, 1);
      return { lab: [moved, a + 0.35 * warm, b + 0.94 * warm], weight };
    });
    const made = recolouring(picture, style, chroma);
    if (round === rounds) return made;
    const colours = picture.map(({ lab, weight }) => ({ lab: oklab(fromOklab(made(lab))), weight }));
    const [got, { saturation }] = [lightOf(colours), colourOf(colours)];
    lift = clamp(lift + 0.8 * (light.brightness - got.brightness), -0.25, 0.25);
    gain = clamp(gain * ((light.contrast + 0.02) / (got.contrast + 0.02)) ** 0.8, 0.5, 1.7);
    chroma = clamp(chroma * ((colour.saturation + 0.01) / (saturation + 0.01)) ** 0.8, 0.3, 1.8);
    warm = clamp(warm + 0.5 * fullWarmth * (light.warmth - got.warmth), -0.04, 0.04);
  }
}
