/** Finds the nearest of about sixty plain colour names, by distance in OKLab. */
import { oklab } from '../oklab.ts';
import { hex } from '../sketch/colour.ts';
import colours from './colours.json' with { type: 'json' };

const named = Object.entries<string>(colours).map(([name, code]) => ({ name, lab: oklab(hex(code)) }));

/** @param colour `#rrggbb` */
export function colourName(colour: string): string {
  const [l, a, b] = oklab(hex(colour));
  const distances = named.map(({ lab }) => 0.7 * (l - lab[0]) ** 2 + 1.6 * ((a - lab[1]) ** 2 + (b - lab[2]) ** 2));
  return named[distances.indexOf(Math.min(...distances))]?.name ?? 'grey';
}
