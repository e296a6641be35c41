/** Finds the nearest of about sixty plain colour names, by distance in OKLab. */
import { type Colour, oklab } from '../oklab.ts';

const list =
  'black 000000,charcoal 33363b,slate 5a6672,grey 808080,silver b9bec4,white ffffff,ivory fbf6e6,cream f5e8c7,beige dcc9a6,sand cdb380,tan b8925f,ochre c58a2b,mustard d6a520,gold e6b93a,yellow f7dc28,lemon f9f07a,amber f2a01e,orange f07c1c,apricot f5b27d,peach f9cdaa,coral f2795f,salmon f0907d,terracotta bf5b3d,rust a0451f,brick 93372b,red e61e1c,crimson ae1734,burgundy 661426,rose dd5c7c,pink f4a9bd,blush f3d3d4,magenta d3258f,fuchsia e94bc0,plum 6f2f62,mauve a883a6,lilac c5a9dd,lavender d9d0ee,violet 7c3fc0,purple 5f2b84,indigo 33297c,midnight blue 141a40,navy 14275a,royal blue 2c4fc4,blue 2a72d8,azure 4b9df0,sky blue 93c8ef,powder blue c4deea,ice blue e2f0f6,petrol 175a69,teal 15807f,turquoise 38cdc0,aqua 9deaea,mint b6e6c8,emerald 128a57,green 3a9a3c,lime a4d63a,chartreuse cbe25a,sage 9fb08c,olive 77792d,moss 56682f,forest green 21502f,pine 173a2c,chocolate 54321f,brown 7c4e2b,umber 5a4a3a,espresso 2b1b14,taupe 8d7f72';

/** @param code six hexadecimal digits */
function labOf(code: string): Colour {
  const n = Number.parseInt(code, 16);
  return oklab([((n >> 16) & 255) / 255, ((n >> 8) & 255) / 255, (n & 255) / 255]);
}

const named = list.split(',').map((entry) => {
  const space = entry.lastIndexOf(' ');
  return { name: entry.slice(0, space), lab: labOf(entry.slice(space + 1)) };
});

/** @param colour `#rrggbb` */
export function colourName(colour: string): string {
  const [l, a, b] = labOf(colour.slice(1));
  let best = 'grey';
  let least = Infinity;
  for (const { name, lab } of named) {
    const distance = (l - lab[0]) ** 2 * 0.7 + ((a - lab[1]) ** 2 + (b - lab[2]) ** 2) * 1.6;
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}
