/** Finds the grain and outlines that give a picture a style's texture, by trials on a reduced picture. */
import type { StyleMeasure } from '../../contract/index.ts';
import type { Raster } from '../raster.ts';
import { fitted } from './fitted.ts';
import { marksOn, type Tool } from './marks.ts';
import { outlinesOf } from './outlines.ts';
import { coloursIn } from './colours.ts';
import { swatchesOf } from './palette.ts';
import { smoothed } from './smooth.ts';
import { rasterOf, surfaceOf, type Surface } from './surface.ts';
import { tableOf } from './table.ts';
import { roughnessOf, textureOf } from './texture.ts';
import type { Recolouring } from './transport.ts';
import { viewOf } from './view.ts';
import { worked } from './worked.ts';
import { clamp } from '../pixels/range.ts';
import { lumaOf } from '../pixels/luma.ts';

export interface Handling {
  readonly tool: Tool;
  /** Radius of smoothing, in pixels of the size at which styles are measured. */
  readonly calm: number;
  /** Standard deviation of the marks, in steps of sRGB. */
  readonly grain: number;
  /** Depth of the outlines, in steps of sRGB; positive ones are light. */
  readonly line: number;
  readonly recolour: Recolouring;
}

const trials = 3;
/** Nodes along each channel of a trial's colour table: grain and outlines need no exact colours. */
const trialNodes = 17;
/** Maximum grain as a share of the picture's own deviation; with more, the subject is lost. */
const mostGrain = 0.5;
/** Share of the style's grain that a picture gets: visible grain is rarely wanted. */
const willing = 0.75;
const mostLine = 120;
/** Maximum radius of smoothing; above it, the filter's squares show. */
const mostCalm = 3;

/** @param raster at the size at which styles are measured */
export function handlingFor(raster: Raster, style: StyleMeasure, { seed }: { seed: number }): Handling {
  const surface = surfaceOf(raster);
  const tool = toolOf(style.texture);
  const ink = inkOf(style);
  const own = textureOf(viewOf(raster));
  let calm = clamp(5 * (style.texture.scale - own.scale) + 8 * (own.edges - style.texture.edges), 0, mostCalm);
  calm = Math.max(calm, clamp(20 * (own.grain - style.texture.grain), 0, 3));
  let base = smoothed(surface, calm);
  const marks = marksOn(base, tool, seed);
  let outlines = outlinesOf(base, ink);
  const wanted = { grain: own.grain + willing * (style.texture.grain - own.grain), edges: style.texture.edges };
  const roughest = mostGrain * deviationOf(base);
  let [grain, line] = [clamp(15 * (amountOf(wanted.grain) - amountOf(own.grain)), 0, roughest), 0];
  for (let trial = 0; ; trial++) {
    const work = worked(base, marks, outlines, { grain, line: ink * line });
    const recolour = fitted(coloursIn({ data: work.rgb, channels: 3 }, raster.data, 4), style);
    if (trial === trials) return { tool, calm, grain, line: ink * line, recolour };
    const got = roughnessOf(viewOf(rasterOf(work, tableOf(recolour, 1, trialNodes), raster)));
    const missing = amountOf(wanted.grain) - amountOf(got.grain);
    const outlined = amountOf(wanted.edges) - amountOf(got.edges);
    grain = clamp(grain + 18 * missing, 0, roughest);
    line = clamp(line + 110 * outlined, 0, mostLine);
    const rough = (grain === 0 ? -missing * 4 : 0) + (line === 0 ? -outlined * 3 : 0);
    if (rough > 0.1) {
      calm = clamp(calm + rough, 0, mostCalm);
      base = smoothed(surface, calm);
      outlines = outlinesOf(base, ink);
    }
  }
}

/** Converts a measured share to an amount that can be added. */
const amountOf = (share: number): number => -Math.log(1 - Math.min(0.97, share));

/** Rough styles are made by hand, so their grain consists of strokes. */
function toolOf({ grain, scale }: StyleMeasure['texture']): Tool {
  return {
    width: 0.8 + 0.9 * scale,
    length: 14 * clamp((grain - 0.15) / 0.5, 0, 1) * clamp(1.25 - 1.5 * scale, 0.2, 1),
  };
}

/** Returns 1 for light lines if a style draws in light on a dark ground, else −1. Night photographs are not drawn. */
function inkOf({ palette, texture, colour }: StyleMeasure): 1 | -1 {
  const tones = swatchesOf(palette).map(({ lab, weight }) => ({ light: lab[0], weight }));
  const lights = tones.map(({ light }) => light);
  const [low, high] = [Math.min(...lights), Math.max(...lights)];
  const mean = tones.reduce((sum, { light, weight }) => sum + light * weight, 0);
  const drawn = texture.grain > 0.3 || colour.saturation > 0.4;
  return drawn && mean - low < 0.35 * (high - low) ? 1 : -1;
}

/** Returns the standard deviation of the brightness, in steps of sRGB. */
function deviationOf(surface: Surface): number {
  const grey = lumaOf(surface.rgb);
  const mean = grey.reduce((sum, v) => sum + v, 0) / grey.length;
  return Math.sqrt(grey.reduce((sum, v) => sum + (v - mean) ** 2, 0) / grey.length);
}
