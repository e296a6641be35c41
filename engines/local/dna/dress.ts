/** Gives a finished picture the colours, light and texture of an encoded style. */
import type { EncodedStyle, StyleMeasure } from '../../contract/index.ts';
import { lumaOf } from '../pixels/luma.ts';
import { enlargedRows } from '../pixels/plane.ts';
import { clamp, toByte } from '../pixels/range.ts';
import { reduced } from '../pixels/reduced.ts';
import type { Raster } from '../raster.ts';
import { coloursIn } from './colours.ts';
import { marksOn, outlinesOf, type Tool } from './marks.ts';
import { swatchesOf } from './palette.ts';
import { type Recolouring, recolouringFor } from './recolouring.ts';
import { recoloured, smoothed, type Surface, surfaceOf, type Work, worked } from './surface.ts';
import { roughnessOf, textureOf, viewSize } from './texture.ts';

/** Longer side, in pixels, above which a picture is dressed at this size and then gets its fine detail back. */
const largest = 2048;
/** Share of the fine detail that such a picture keeps. */
const kept = 0.7;

/** Applies an encoded style. @param options.amount 0 changes nothing, 1 keeps only the forms of the picture */
export function dress(raster: Raster, dna: EncodedStyle, { amount, seed }: { amount: number; seed: number }): Raster {
  if (amount <= 0) return raster;
  const { tool, calm, grain, line, recolour } = handlingFor(reduced(raster, viewSize), dna.measure, seed);
  const small = reduced(raster, largest);
  const surface = smoothed(surfaceOf(small), calm * amount);
  const outlines = outlinesOf(surface, line > 0 ? 1 : -1);
  const work = { grain: grain * amount, line: line * amount };
  const marked = worked(surface, marksOn(surface, tool, seed), outlines, work);
  const dressed = recoloured(marked, recolour, small, amount, 25);
  return small === raster ? dressed : enlarged(dressed, small, raster);
}

/** Enlarges the dressed picture and adds the fine detail of the full one. */
function enlarged(dressed: Raster, small: Raster, full: Raster): Raster {
  const data = new Uint8Array(full.data);
  const [dressedRow, smallRow] = [enlargedRows(dressed, full), enlargedRows(small, full)];
  for (let y = 0, o = 0; y < full.height; y++) {
    const [now, then] = [dressedRow(y), smallRow(y)];
    for (let x = 0; x < full.width * 4; x += 4, o += 4) {
      let detail = 0;
      for (let c = 0; c < 3; c++) detail += (full.data[o + c]! - then[x + c]!) / 3;
      for (let c = 0; c < 3; c++) data[o + c] = toByte(now[x + c]! + kept * detail);
    }
  }
  return { ...full, data };
}

interface Handling extends Work {
  readonly tool: Tool;
  /** Radius of smoothing, in pixels of the size at which styles are measured. */
  readonly calm: number;
  readonly recolour: Recolouring;
}

/** Number of corrections of grain and outlines. */
const trials = 3;
/** Maximum grain as a share of the picture's own deviation; with more, the subject is lost. */
const mostGrain = 0.5;
/** Share of the style's grain that a picture gets: visible grain is rarely wanted. */
const willing = 0.75;
/** Maximum depth of outlines, in steps of sRGB. */
const mostLine = 120;
/** Maximum radius of smoothing; above it, the filter's squares show. */
const mostCalm = 3;

/**
 * Finds the grain and outlines that give a picture a style's texture, by trials.
 * @param raster at the size at which styles are measured
 */
function handlingFor(raster: Raster, style: StyleMeasure, seed: number): Handling {
  const surface = surfaceOf(raster);
  const { grain: roughness, scale } = style.texture;
  // Rough styles are made by hand, so their grain consists of strokes.
  const length = 14 * clamp((roughness - 0.15) / 0.5) * clamp(1.25 - 1.5 * scale, 0.2, 1);
  const tool: Tool = { width: 0.8 + 0.9 * scale, length };
  const ink = inkOf(style);
  const own = textureOf(raster);
  const wanted = { grain: own.grain + willing * (roughness - own.grain), edges: style.texture.edges };
  let calm = Math.max(5 * (scale - own.scale) + 8 * (own.edges - wanted.edges), 20 * (own.grain - roughness));
  calm = clamp(calm, 0, mostCalm);
  let base = smoothed(surface, calm);
  const marks = marksOn(base, tool, seed);
  const roughest = mostGrain * deviationOf(base);
  let [grain, line] = [clamp(15 * (amountOf(wanted.grain) - amountOf(own.grain)), 0, roughest), 0];
  for (let trial = 0; ; trial++) {
    const work = worked(base, marks, outlinesOf(base, ink), { grain, line: ink * line });
    const recolour = recolouringFor(coloursIn({ data: work.rgb, channels: 3 }, raster.data, 4), style);
    if (trial === trials) return { tool, calm, grain, line: ink * line, recolour };
    // Grain and outlines need no exact colours, so a small table is enough.
    const got = roughnessOf(recoloured(work, recolour, raster, 1, 17));
    const missing = amountOf(wanted.grain) - amountOf(got.grain);
    const outlined = amountOf(wanted.edges) - amountOf(got.edges);
    grain = clamp(grain + 18 * missing, 0, roughest);
    line = clamp(line + 110 * outlined, 0, mostLine);
    const rough = (grain === 0 ? -missing * 4 : 0) + (line === 0 ? -outlined * 3 : 0);
    if (rough > 0.1) base = smoothed(surface, (calm = clamp(calm + rough, 0, mostCalm)));
  }
}

/** Inverts the measure (1 − e^−x), because its exponents add up and its values do not. */
const amountOf = (share: number): number => -Math.log(1 - Math.min(0.97, share));

/** Returns 1 (light lines) for a drawn style with a dark ground, else −1. Night photographs rarely count as drawn. */
function inkOf({ palette, texture, colour }: StyleMeasure): 1 | -1 {
  const swatches = swatchesOf(palette);
  const lights = swatches.map(({ lab }) => lab[0]);
  const [low, high] = [Math.min(...lights), Math.max(...lights)];
  const mean = swatches.reduce((sum, { lab, weight }) => sum + lab[0] * weight, 0);
  const drawn = texture.grain > 0.3 || colour.saturation > 0.4;
  return drawn && mean - low < 0.35 * (high - low) ? 1 : -1;
}

/** Returns the standard deviation of the brightness, in steps of sRGB. */
function deviationOf(surface: Surface): number {
  const grey = lumaOf(surface.rgb);
  const mean = grey.reduce((sum, v) => sum + v, 0) / grey.length;
  return Math.sqrt(grey.reduce((sum, v) => sum + (v - mean) ** 2, 0) / grey.length);
}
