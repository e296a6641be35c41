/** Maps a picture's colours to a style's by optimal transport (Sinkhorn); similar colours stay similar. */
import type { Weighted } from './colours.ts';
import { along, curveBetween } from './tones.ts';
import { clamp } from '../pixels/range.ts';

type Lab = readonly [number, number, number];
export type Recolouring = (colour: Lab) => [number, number, number];

/** Weight of lightness against hue: shadows must stay shadows. */
const ofHue = 2.6;
/** Softness of the transitions between swatches. */
const softness = 0.006;
/** Strictness of the style's shares; below 1, a picture may use more of the swatches that fit it. */
const strictness = 0.8;
const rounds = 25;
/** Weight of a colour's own hue against its rank among the picture's hues: a fox stays red if the style has a red. */
const ofItself = 0.6;
/** Shares of the swatches' lightness and hue in the result; the rest is the picture's light and shade. */
const toSwatch = 0.35;
const toHue = 0.85;

/** For a style with few hues, red turns lighter and green darker, as through a filter before black-and-white film. */
const colourful = 0.06;
const filtering = 0.9;

/** @param chroma what the colours' strength is multiplied by, as blending swatches dulls them */
export function recolouring(from: readonly Weighted[], to: readonly Weighted[], chroma: number): Recolouring {
  const style = to.map(evened);
  const other = hueOf(style);
  const filter = Math.max(0, 1 - other.deviation / colourful) * filtering;
  const seen = ([l, a, b]: Lab): Lab => [evenLight(l) + filter * (a + 0.3 * b), a, b];
  const picture = from.map(({ lab, weight }) => ({ lab: seen(lab), weight }));
  const curve = curveBetween(picture, style);
  const own = hueOf(picture);
  const gain = clamp(other.deviation / own.deviation, 0.1, 3);
  const itself = ofItself * Math.min(1, other.deviation / own.deviation);
  const placed = ([l, a, b]: Lab): Lab => [
    along(curve, l),
    (1 - itself) * (other.a + (a - own.a) * gain) + itself * a,
    (1 - itself) * (other.b + (b - own.b) * gain) + itself * b,
  ];
  const pull = pulls(
    picture.map(({ lab, weight }) => ({ lab: placed(lab), weight })),
    style,
  );
  return (colour) => {
    const at = placed(seen(colour));
    const costs = style.map(({ lab }, j) => pull[j]! - cost(at, lab));
    const top = Math.max(...costs);
    let [total, l, a, b] = [0, 0, 0, 0];
    for (const [j, { lab }] of style.entries()) {
      const w = Math.exp(costs[j]! - top);
      // A swatch in the dark is less colourful, and so is one in glaring light.
      const shade = Math.min(1, at[0] / Math.max(0.05, lab[0]), (1.04 - at[0]) / Math.max(0.05, 1.04 - lab[0]));
      total += w;
      l += w * lab[0];
      a += w * lab[1] * (0.35 + 0.65 * shade);
      b += w * lab[2] * (0.35 + 0.65 * shade);
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

/** For each swatch how much it attracts, so that all of them together draw their shares. */
function pulls(places: readonly Weighted[], style: readonly Weighted[]): number[] {
  const count = style.length;
  const near = new Float64Array(places.length * count);
  for (const [i, { lab }] of places.entries()) {
    const costs = style.map((swatch) => cost(lab, swatch.lab));
    const least = Math.min(...costs);
    for (let j = 0; j < count; j++) near[i * count + j] = Math.exp(least - costs[j]!);
  }
  const pull = new Float64Array(count).fill(1);
  const drawn = new Float64Array(count);
  for (let round = 0; round < rounds; round++) {
    drawn.fill(0);
    for (const [i, { weight }] of places.entries()) {
      let total = 1e-12;
      for (let j = 0; j < count; j++) total += near[i * count + j]! * pull[j]!;
      for (let j = 0; j < count; j++) drawn[j]! += (weight * near[i * count + j]! * pull[j]!) / total;
    }
    for (let j = 0; j < count; j++)
      pull[j] = clamp(pull[j]! * (Math.max(1e-4, style[j]!.weight) / Math.max(1e-4, drawn[j]!)), 1e-6, 1e6);
  }
  return Array.from(pull, (n) => Math.log(n) * strictness);
}

/** Mean and spread of the two colour axes. */
function hueOf(colours: readonly Weighted[]) {
  let [a, b, square] = [0, 0, 0];
  for (const { lab, weight } of colours) {
    a += lab[1] * weight;
    b += lab[2] * weight;
    square += (lab[1] ** 2 + lab[2] ** 2) * weight;
  }
  return { a, b, deviation: Math.sqrt(Math.max(1e-5, square - a * a - b * b)) };
}

/** OKLab tells blacks apart that look alike; Ottosson's toe gives them the steps of CIE lightness. */
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

const evened = ({ lab: [l, a, b], weight }: Weighted): Weighted => ({ lab: [evenLight(l), a, b], weight });
