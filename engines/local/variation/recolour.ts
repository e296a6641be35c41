/** Recolours a photograph for a season, and shifts its mood a little by seed. */
import { luma, lumaOf } from '../pixels/luma.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { type Canvas, each } from '../sketch/canvas.ts';
import { blend, type Colour, hsl, times } from '../sketch/colour.ts';
import type { Random } from '../sketch/random.ts';
import type { Season } from './wish.ts';

/** Returns hue in turns and chroma of 0–1. */
function hueOf(r: number, g: number, b: number): { hue: number; chroma: number } {
  const most = Math.max(r, g, b);
  const chroma = most - Math.min(r, g, b);
  if (chroma < 1e-5) return { hue: 0, chroma: 0 };
  const sixth = most === r ? ((g - b) / chroma + 6) % 6 : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return { hue: sixth / 6, chroma };
}

interface Change {
  /** Hue and vividness of leaves. */
  readonly leaf: number;
  readonly vivid: number;
  /** Factors for the channels and the saturation of the whole picture, and the increase of its brightness. */
  readonly tint: Colour;
  readonly saturation: number;
  readonly lift: number;
}

const changes: Readonly<Record<Season, Change>> = {
  spring: { leaf: 0.27, vivid: 1.15, tint: [1.02, 1.03, 0.99], saturation: 1.1, lift: 0.03 },
  summer: { leaf: 0.29, vivid: 1.2, tint: [1.06, 1.03, 0.92], saturation: 1.18, lift: 0.015 },
  autumn: { leaf: 0.065, vivid: 1.5, tint: [1.1, 0.98, 0.84], saturation: 1.02, lift: 0 },
  winter: { leaf: 0.55, vivid: 0.25, tint: [0.96, 1.01, 1.07], saturation: 0.5, lift: 0.07 },
};

export function seasoned(canvas: Canvas, season: Season, amount: number): void {
  const { leaf, vivid, tint, saturation, lift } = changes[season];
  each(canvas, (r, g, b) => {
    const l = luma(r, g, b);
    const { hue, chroma } = hueOf(clamp(r), clamp(g), clamp(b));
    // How much the colour looks like leaves or grass.
    const green = smoothstep(0.13, 0.2, hue) * smoothstep(0.5, 0.42, hue) * smoothstep(0.03, 0.12, chroma);
    // Different greens stay different, so that a wood does not become one flat colour.
    const turned = hsl(leaf + (hue - 0.28) * 0.35, clamp(chroma * vivid * 1.8), clamp(l * 1.02));
    const leafy = blend([r, g, b], turned, green * 0.9);
    const [tr, tg, tb] = times(blend([l, l, l], leafy, saturation), tint);
    const lighter = lift * (1 - l * 0.5);
    return blend([r, g, b], [tr + lighter, tg + lighter, tb + lighter], amount);
  });
}

/** Adds settled snow on surfaces that face up and on the ground low in the picture. */
export function snowed(canvas: Canvas, ground: number, amount: number): void {
  const { width, height, unit } = canvas;
  const reach = Math.max(1, Math.round(7 * unit));
  const grey = lumaOf(canvas.rgb);
  each(canvas, (r, g, b, x, y, i) => {
    const l = grey[i]!;
    const facing = smoothstep(0.04, 0.22, l - grey[Math.min(height - 1, y + reach) * width + x]!);
    const low = smoothstep(ground, height, y) * 0.55 * smoothstep(0.08, 0.5, l);
    return blend([r, g, b], times([0.95, 0.975, 1.01], 0.62 + 0.38 * l), clamp(facing * 0.5 + low) * amount);
  });
}

/** Shifts highlights and shadows towards two hues of the seed and turns colours a little. */
export function tone(canvas: Canvas, random: Random, amount: number): void {
  const hue = random.next();
  const [light, dark] = [hsl(hue, 0.75, 0.62), hsl(hue + random.between(0.38, 0.62), 0.7, 0.36)];
  const [lightLuma, darkLuma] = [luma(...light), luma(...dark)];
  const turn = random.between(-0.075, 0.075) * Math.PI * 2 * amount;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const vivid = 1 + random.between(-0.18, 0.3) * amount;
  const contrast = 1 + random.between(-0.12, 0.16) * amount;
  each(canvas, (ownRed, ownGreen, ownBlue) => {
    const l = luma(ownRed, ownGreen, ownBlue);
    const [u, v] = [(ownBlue - l) * vivid, (ownRed - l) * vivid];
    const [b, r] = [u * cos - v * sin, u * sin + v * cos];
    const g = -(0.299 * r + 0.114 * b) / 0.587;
    const t = smoothstep(0.1, 0.9, l);
    const middle = 0.5 + (l - 0.5) * contrast;
    const lean = (c: 0 | 1 | 2) => ((light[c] - lightLuma) * t + (dark[c] - darkLuma) * (1 - t)) * 0.34 * amount;
    return [middle + r + lean(0), middle + g + lean(1), middle + b + lean(2)];
  });
}
