/** Lists every look by family and style. A new style takes a line in `schemas/families` and a line here. */
import type { Look } from './look.ts';
import { fresco, mosaic, pointillism, stainedGlass } from './craft.ts';
import { blueprint, contour, glitch } from './drafting.ts';
import { inkWash, noir, pencil } from './drawings.ts';
import { cinematic, dreamscape } from './film.ts';
import { bricks, lowPoly, pixelArt, vector } from './geometry.ts';
import { hologram, neon, quantumHouse } from './glow.ts';
import { anime, popArt, storybook } from './inked.ts';
import { impressionist, oil, pastel, selenaHouse } from './oil.ts';
import { paperCut } from './papercut.ts';
import { engraving, hamiltonHouse, linocut, ukiyoe } from './prints.ts';
import { watercolor } from './watercolor.ts';

export const houses: Readonly<Record<string, Look>> = {
  selena: selenaHouse,
  quantum: quantumHouse,
  hamilton: hamiltonHouse,
};

export const looks: Readonly<Record<string, Look>> = {
  watercolor,
  oil,
  pastel,
  impressionist,
  storybook,
  anime,
  cinematic,
  dreamscape,
  'paper-cut': paperCut,
  neon,
  'low-poly': lowPoly,
  'pixel-art': pixelArt,
  blueprint,
  bricks,
  vector,
  glitch,
  hologram,
  'pop-art': popArt,
  contour,
  engraving,
  linocut,
  'ukiyo-e': ukiyoe,
  'ink-wash': inkWash,
  pencil,
  'stained-glass': stainedGlass,
  mosaic,
  pointillism,
  noir,
  fresco,
};

/** Returns the look of a style; of the family where the style is null or has no look of its own. */
export function lookOf(family: string, style: string | null): Look {
  const look = (style === null ? undefined : looks[style]) ?? houses[family] ?? houses['selena'];
  if (!look) throw new Error(`no look for ${family}`);
  return look;
}
