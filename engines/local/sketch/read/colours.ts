/** Colour words, and palettes for prompts that name none. */
import { hex, type Colour } from '../colour.ts';

const list =
  'red c8322e,crimson b3122f,scarlet d6281f,maroon 6e1a24,burgundy 6b1a30,ruby b01440,orange e8842a,amber e7a11c,coral f0755a,salmon ee8f78,peach f6b58f,apricot f3ac6a,' +
  'yellow f0c93a,gold d9a520,golden d9a520,mustard c99a1e,lemon f2e05a,cream f3e8cc,ivory f4efdf,beige dcc9a6,tan c6a477,brown 7a4f2d,chocolate 56331d,bronze 9a6b33,copper b56a3b,rust a9502a,' +
  'green 4a9a4a,emerald 1f9a68,olive 7c7f34,lime a5d13a,mint 9fdcc0,sage 9db08e,jade 2f9c7a,teal 178a8c,turquoise 3dbfbf,aqua 55cbd6,cyan 2fc3dc,' +
  'blue 3a6fc4,navy 1c2c5e,azure 3f97e0,indigo 3b3a8f,cobalt 2148a8,sapphire 1b4fa5,cerulean 3a93c8,ultramarine 2a3aa8,' +
  'purple 7a3fa0,violet 7d4fc4,lavender b6a1e0,lilac c3a3d6,plum 7b3b6b,magenta c92a8f,fuchsia d633a0,pink ee8fb0,rose e2708c,' +
  'white f5f3ee,black 1b1b20,grey 8b8f95,gray 8b8f95,silver b9bec6,charcoal 35383e';

export const colourWords: ReadonlyMap<string, Colour> = new Map(
  list.split(',').map((entry) => {
    const [name = '', code = ''] = entry.split(' ');
    return [name, hex(`#${code}`)] as const;
  }),
);

/** Dark, middle, accent and light, chosen by the hash of the words. */
export const palettes: readonly (readonly Colour[])[] = [
  ['#1f2a44', '#3f6f86', '#e39a6b', '#f6e3c5'],
  ['#2b1d3d', '#6d4a8a', '#e17a8b', '#fbd9b4'],
  ['#12343b', '#2d7f77', '#e1b382', '#f7efdd'],
  ['#22223b', '#5f6ba3', '#c9a3b8', '#f2e9e4'],
  ['#26331f', '#6a8a4b', '#dcae4e', '#f8efc9'],
  ['#3a1a24', '#9c3d4a', '#f0a06a', '#fbe8cf'],
  ['#0f2b46', '#1f7a9c', '#7cc6b5', '#f4f1de'],
  ['#2d2a32', '#7d5a5a', '#d8a48f', '#efe6dd'],
  ['#132a13', '#3f7d5a', '#a7c957', '#f2e8cf'],
  ['#1b1a35', '#4a5fb0', '#f2a6b4', '#fdf1e1'],
].map((codes) => codes.map(hex));
