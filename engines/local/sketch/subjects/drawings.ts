/** Draws things: icons (Noto Emoji, Apache-2.0), bodies for icons that are only heads, and our own SVG files. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { alphaOf } from '../../pixels/alpha.ts';
import { boundsOf, crop } from '../../pixels/box.ts';
import type { Raster } from '../../raster.ts';
import { things } from '../read/vocabulary.ts';
import figureTable from './drawings/figures.json' with { type: 'json' };

const require = createRequire(import.meta.url);

const skinTones = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'];

/** Things that have a file in `drawings/`. A body has more words: the icon of its head, three colours and a tail. */
const figures: Readonly<Record<string, string>> = figureTable;

let icons: ReadonlyMap<string, string> | null = null;

/** Loads the icon set once in each worker thread, and keeps the icons that can be drawn. */
function load(): ReadonlyMap<string, string> {
  const path = require.resolve('@iconify-json/noto/icons.json');
  const set = JSON.parse(readFileSync(path, 'utf8')) as { icons: Record<string, { body: string }> };
  const wanted = new Set([...things.keys(), ...Object.values(figures).map((figure) => figure.split(' ')[1])]);
  const toned = new RegExp(`-(?:${skinTones.join('|')})-skin-tone$`);
  const kept = Object.entries(set.icons).filter(([name]) => wanted.has(name.replace(toned, '')));
  // Copies each icon, so that its text does not keep the whole file in memory.
  return new Map(kept.map(([name, { body }]) => [name, Buffer.from(body).toString()]));
}

/** Returns an icon as an SVG element that works alone or inside another one, or null if there is none. */
function iconSvg(name: string, place = ''): string | null {
  icons ??= load();
  const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
  const body = icons.get(name);
  return body === undefined ? null : `<svg ${namespaces} ${place} viewBox="0 0 128 128">${body}</svg>`;
}

const file = (name: string) => readFileSync(new URL(`drawings/${name}.svg`, import.meta.url), 'utf8');

/** Returns the drawing of a thing as an SVG document, or null if there is none; `tone` selects the skin tone. */
export function drawingOf(name: string, tone = 0): string | null {
  const figure = figures[name];
  if (!figure) return iconSvg(`${name}-${skinTones[tone % skinTones.length]!}-skin-tone`) ?? iconSvg(name);
  const [body = '', head, c1 = '', c2 = '', c3 = '', tail = ''] = figure.split(' ');
  if (!head) return file(body);
  const style = `.c1{fill:${c1}}.c2{fill:${c2}}.c3{fill:${c3}}.s1{stroke:${c1}}.s3{stroke:${c3}}.${tail}{display:inline}`;
  const headSvg = iconSvg(head, 'x="14" y="0" width="100" height="100"') ?? '';
  return file(body)
    .replace('</style>', `${style}</style>`)
    .replace(/<\/svg>\s*$/, `${headSvg}</svg>`);
}

/** Returns the pixels of a drawing, or null if there is none. Its longer side has `side` pixels before trimming. */
export async function rasterise(name: string, side: number, tone: number): Promise<Raster | null> {
  const svg = drawingOf(name, tone);
  if (svg === null) return null;
  const [width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.slice(1).map(Number) as [number, number];
  const k = Math.max(8, Math.round(side)) / Math.max(width, height);
  const sized = svg.replace('<svg', `<svg width="${Math.round(width * k)}" height="${Math.round(height * k)}"`);
  const { data, info } = await sharp(Buffer.from(sized)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const drawn: Raster = { width: info.width, height: info.height, channels: 4, data };
  const box = boundsOf(alphaOf(drawn).data, info.width, 24);
  return box ? crop(drawn, box) : drawn;
}
