/** Finds how to recolour a picture so that it gets a style's colours, tones and light. */
import type { StyleMeasure } from '../../contract/index.ts';
import { fromOklab, oklab } from '../oklab.ts';
import { clamp } from '../pixels/range.ts';
import { colourOf, fullWarmth, type Lab, lightOf, meanOf, type Weighted } from './colours.ts';
import { swatchesOf } from './palette.ts';

export type Recolouring = (colour: Lab) => [number, number, number];

/** Number of corrections until the light of the recoloured picture matches the style's. */
const corrections = 4;

export function recolouringFor(picture: readonly Weighted[], { palette, light, colour }: StyleMeasure): Recolouring {
  const swatches = swatchesOf(palette);
  const middle = meanOf(swatches, ([l]) => l);
  let [lift, gain, chroma, warm] = [0, 1, 1, 0];
  for (let round = 0; ; round++) {
    const style = swatches.map(({ lab: [l, a, b], weight }): Weighted => {
      const moved = clamp(middle + (l - middle) * gain + lift);
      return { lab: [moved, a + 0.35 * warm, b + 0.94 * warm], weight };
    });
    const recolour = transport(picture, style, chroma);
    if (round === corrections) return recolour;
    const colours = picture.map(({ lab, weight }) => ({ lab: oklab(fromOklab(recolour(lab))), weight }));
    const [got, { saturation }] = [lightOf(colours), colourOf(colours)];
    lift = clamp(lift + 0.8 * (light.brightness - got.brightness), -0.25, 0.25);
    gain = clamp(gain * ((light.contrast + 0.02) / (got.contrast + 0.02)) ** 0.8, 0.5, 1.7);
    chroma = clamp(chroma * ((colour.saturation + 0.01) / (saturation + 0.01)) ** 0.8, 0.3, 1.8);
    warm = clamp(warm + 0.5 * fullWarmth * (light.warmth - got.warmth), -0.04, 0.04);
  }
}

/** Weight of hue against lightness: shadows must stay shadows. */
const ofHue = 2.6;
/** Softness of the transitions between swatches. */
const softness = 0.006;
/** Strictness of the style's shares; below 1, a picture may use more of the swatches that fit it. */
const strictness = 0.8;
/** Weight of a colour's own hue against its rank among the picture's hues: a fox stays red if the style has a red. */
const ofItself = 0.6;
/** Shares of the swatches' lightness and hue in the result; the rest is the picture's light and shade. */
const toSwatch = 0.35;
const toHue = 0.85;
/**
 * Spread of hues below which red turns lighter and green darker, as with a red filter in black-and-white photography.
 */
const colourful = 0.06;

/**
 * Maps a picture's colours to a style's by optimal transport (Sinkhorn); similar colours stay similar.
 * @param chroma factor for the chroma of the result, because blending swatches dulls it
 */
function transport(from: readonly Weighted[], to: readonly Weighted[], chroma: number): Recolouring {
  const style = to.map(({ lab: [l, a, b], weight }): Weighted => ({ lab: [evenLight(l), a, b], weight }));
  const wanted = statisticsOf(style);
  const filter = Math.max(0, 1 - wanted.hues / colourful) * 0.9;
  const seen = ([l, a, b]: Lab): Lab => [evenLight(l) + filter * (a + 0.3 * b), a, b];
  const picture = from.map(({ lab, weight }) => ({ lab: seen(lab), weight }));
  const own = statisticsOf(picture);
  // A higher limit would break skies into bands; a lower one would hide forms.
  const contrast = clamp(wanted.tones / own.tones, 0.25, 2.6);
  const gain = clamp(wanted.hues / own.hues, 0.1, 3);
  const itself = ofItself * Math.min(1, wanted.hues / own.hues);
  const placed = ([l, a, b]: Lab): Lab => [
    clamp(wanted.l + (l - own.l) * contrast),
    (1 - itself) * (wanted.a + (a - own.a) * gain) + itself * a,
    (1 - itself) * (wanted.b + (b - own.b) * gain) + itself * b,
  ];
  const places = picture.map(({ lab, weight }) => ({ lab: placed(lab), weight }));
  const pull = pulls(places, style);
  return (colour) => {
    const at = placed(seen(colour));
    const nearness = style.map(({ lab }, j) => pull[j]! - cost(at, lab));
    const top = Math.max(...nearness);
    let [total, l, a, b] = [0, 0, 0, 0];
    for (const [j, { lab }] of style.entries()) {
      const weight = Math.exp(nearness[j]! - top);
      // Very dark and very light colours are less saturated.
      const shade = Math.min(1, at[0] / Math.max(0.05, lab[0]), (1.04 - at[0]) / Math.max(0.05, 1.04 - lab[0]));
      total += weight;
      l += weight * lab[0];
      a += weight * lab[1] * (0.35 + 0.65 * shade);
      b += weight * lab[2] * (0.35 + 0.65 * shade);
    }
    const mixed = (own: number, swatch: number, share: number) => own + (swatch / total - own) * share;
    const light = unevenLight(mixed(at[0], l, toSwatch));
    return [light, mixed(at[1], a, toHue) * chroma, mixed(at[2], b, toHue) * chroma];
  };
}

function cost(at: Lab, swatch: Lab): number {
  const [l, a, b] = [at[0] - swatch[0], at[1] - swatch[1], at[2] - swatch[2]];
  return (l * l + ofHue * (a * a + b * b)) / softness;
}

/** Returns the attraction of each swatch, so that every swatch gets its share of the picture. */
function pulls(places: readonly Weighted[], style: readonly Weighted[]): number[] {
  const count = style.length;
  const near = new Float64Array(places.length * count);
  for (const [i, { lab }] of places.entries()) {
    const costs = style.map((swatch) => cost(lab, swatch.lab));
    const least = Math.min(...costs);
    for (let j = 0; j < count; j++) near[i * count + j] = Math.exp(least - costs[j]!);
  }
  const pull = style.map(() => 1);
  for (let round = 0; round < 25; round++) {
    const drawn = style.map(() => 0);
    for (let i = 0, o = 0; i < places.length; i++, o += count) {
      let total = 1e-12;
      for (let j = 0; j < count; j++) total += near[o + j]! * pull[j]!;
      const share = places[i]!.weight / total;
      for (let j = 0; j < count; j++) drawn[j]! += share * near[o + j]! * pull[j]!;
    }
    for (const [j, { weight }] of style.entries())
      pull[j] = clamp(pull[j]! * (Math.max(1e-4, weight) / Math.max(1e-4, drawn[j]!)), 1e-6, 1e6);
  }
  return pull.map((n) => Math.log(n) * strictness);
}

/** Returns the mean colour, and the standard deviations of lightness and of hue. */
function statisticsOf(colours: readonly Weighted[]) {
  const [l, a, b] = [0, 1, 2].map((c) => meanOf(colours, (lab) => lab[c]!)) as [number, number, number];
  const tones = meanOf(colours, (lab) => (lab[0] - l) ** 2);
  const hues = meanOf(colours, (lab) => (lab[1] - a) ** 2 + (lab[2] - b) ** 2);
  return { l, a, b, tones: Math.sqrt(tones + 0.002), hues: Math.sqrt(Math.max(1e-5, hues)) };
}

/** OKLab separates blacks that look alike; the toe function of Ottosson gives them the steps of CIE lightness. */
const [low, knee] = [0.206, 0.03];
const slope = (1 + low) / (1 + knee);

function evenLight(l: number): number {
  const n = slope * l - low;
  return 0.5 * (n + Math.sqrt(n * n + 4 * knee * slope * l));
}

function unevenLight(light: number): number {
  const l = clamp(light);
  return (l * (l + low)) / (slope * (l + knee));
}
