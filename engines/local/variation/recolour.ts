/** Recolours a photograph for a season, and by the small change of mood that each seed brings. */
import type { Canvas } from '../sketch/canvas.ts';
import { hsl, type Colour } from '../sketch/colour.ts';
import type { Random } from '../sketch/random.ts';
import type { Season } from './wish.ts';
import { clamp, smoothstep } from '../pixels/range.ts';
import { luma } from '../pixels/luma.ts';

/** Returns hue in turns and chroma of 0–1. */
function hueOf(r: number, g: number, b: number): { hue: number; chroma: number } {
  const most = Math.max(r, g, b);
  const chroma = most - Math.min(r, g, b);
  if (chroma < 1e-5) return { hue: 0, chroma: 0 };
  const sixth = most === r ? ((g - b) / chroma + 6) % 6 : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  return { hue: sixth / 6, chroma };
}

/** Returns how much a colour looks like leaves or grass, 0–1. */
function greenery(r: number, g: number, b: number): number {
  const { hue, chroma } = hueOf(r, g, b);
  return smoothstep(0.13, 0.2, hue) * smoothstep(0.5, 0.42, hue) * smoothstep(0.03, 0.12, chroma);
}

/** A season's changes: hue and vividness of leaves; for the whole picture a factor for each channel, saturation, and lift. */
const looks: Readonly<Record<Season, { leaf: number; vivid: number; tint: Colour; saturation: number; lift: number }>> =
  {
    spring: { leaf: 0.27, vivid: 1.15, tint: [1.02, 1.03, 0.99], saturation: 1.1, lift: 0.03 },
    summer: { leaf: 0.29, vivid: 1.2, tint: [1.06, 1.03, 0.92], saturation: 1.18, lift: 0.015 },
    autumn: { leaf: 0.065, vivid: 1.5, tint: [1.1, 0.98, 0.84], saturation: 1.02, lift: 0 },
    winter: { leaf: 0.55, vivid: 0.25, tint: [0.96, 1.01, 1.07], saturation: 0.5, lift: 0.07 },
  };

export function seasoned(canvas: Canvas, season: Season, amount: number): void {
  const { rgb } = canvas;
  const { leaf, vivid, tint, saturation, lift } = looks[season];
  for (let p = 0; p < rgb.length; p += 3) {
    const [r, g, b] = [clamp(rgb[p]!), clamp(rgb[p + 1]!), clamp(rgb[p + 2]!)];
    const green = greenery(r, g, b);
    const l = luma(r, g, b);
    const { hue, chroma } = hueOf(r, g, b);
    // Different greens stay different, so that a wood does not become one flat colour.
    const turned = hsl(leaf + (hue - 0.28) * 0.35, clamp(chroma * vivid * 1.8), clamp(l * 1.02));
    for (let c = 0; c < 3; c++) {
      const own = rgb[p + c]!;
      const leafy = own + (turned[c]! - own) * green * 0.9;
      const seen = (l + (leafy - l) * saturation) * tint[c]! + lift * (1 - l * 0.5);
      rgb[p + c] = own + (seen - own) * amount;
    }
  }
}

/** Adds settled snow on surfaces that face up and on the ground low in the picture. */
export function snowed(canvas: Canvas, ground: number, amount: number): void {
  const { rgb, width, height, unit } = canvas;
  const reach = Math.max(1, Math.round(7 * unit));
  const source = new Float32Array(width * height);
  for (let i = 0; i < source.length; i++) source[i] = luma(rgb[i * 3]!, rgb[i * 3 + 1]!, rgb[i * 3 + 2]!);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const below = source[Math.min(height - 1, y + reach) * width + x]!;
      const facing = smoothstep(0.04, 0.22, source[i]! - below);
      const low = smoothstep(ground, height, y) * 0.55 * smoothstep(0.08, 0.5, source[i]!);
      const a = clamp(facing * 0.5 + low) * amount;
      const white = 0.62 + 0.38 * source[i]!;
      for (let c = 0; c < 3; c++) {
        const snow = white * [0.95, 0.975, 1.01][c]!;
        rgb[i * 3 + c] = rgb[i * 3 + c]! + (snow - rgb[i * 3 + c]!) * a;
      }
    }
}

/** Shifts highlights and shadows towards two hues of the seed and turns colours a little. */
export function tone(canvas: Canvas, random: Random, amount: number): void {
  const { rgb } = canvas;
  const hue = random.next();
  const [light, dark] = [hsl(hue, 0.75, 0.62), hsl(hue + random.between(0.38, 0.62), 0.7, 0.36)];
  const [ll, dl] = [luma(...light), luma(...dark)];
  const turn = random.between(-0.075, 0.075) * Math.PI * 2 * amount;
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const vivid = 1 + random.between(-0.18, 0.3) * amount;
  const contrast = 1 + random.between(-0.12, 0.16) * amount;
  for (let p = 0; p < rgb.length; p += 3) {
    const l = luma(rgb[p]!, rgb[p + 1]!, rgb[p + 2]!);
    const [u, v] = [(rgb[p + 2]! - l) * vivid, (rgb[p]! - l) * vivid];
    const [b, r] = [u * cos - v * sin, u * sin + v * cos];
    const g = -(0.299 * r + 0.114 * b) / 0.587;
    const t = smoothstep(0.1, 0.9, l);
    const k = 0.34 * amount;
    const m = 0.5 + (l - 0.5) * contrast;
    const lean = (c: 0 | 1 | 2): number => ((light[c] - ll) * t + (dark[c] - dl) * (1 - t)) * k;
    rgb[p] = m + r + lean(0);
    rgb[p + 1] = m + g + lean(1);
    rgb[p + 2] = m + b + lean(2);
  }
}
