/** Lists every look by family and style. A new style takes a line in `schemas/families` and a line here. */
import { anime, inkWash, noir, pencil, popArt, storybook } from './ink.ts';
import { blueprint, cinematic, contour, dreamscape, glitch, hologram, neon, quantumHouse } from './light.ts';
import type { Look } from './look.ts';
import { fresco, impressionist, oil, pastel, selenaHouse, watercolor } from './paint.ts';
import { engraving, hamiltonHouse, linocut, ukiyoe } from './prints.ts';
import { bricks, lowPoly, mosaic, paperCut, pixelArt, pointillism, stainedGlass, vector } from './shapes.ts';

/** The look of each family for a request without a style. */
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

/** Returns the look of a style, or the look of the family if the style is null or has no look. */
export function lookOf(family: string, style: string | null): Look {
  const look = (style === null ? undefined : looks[style]) ?? houses[family] ?? houses['selena'];
  if (!look) throw new Error(`The local engine has no look for "${family}".`);
  return look;
}
