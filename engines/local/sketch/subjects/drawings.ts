/** Drawings of things as SVG: icons (Noto Emoji, Apache-2.0), bodies for icons that are only heads, and our own files. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { things } from '../read/vocabulary.ts';

const require = createRequire(import.meta.url);

interface IconSet {
  icons: Record<string, { body: string }>;
}

const skinTones = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'];

/** Things with a file of the same name in `drawings/`. */
const files = 'lighthouse astronaut knight robot windmill vase airship fruit-bowl hot-air-balloon'.split(' ');

/** Things that are drawn as a body with an icon as the head: body, icon, colours of the classes c1 to c3, tail. */
const figures: Readonly<Record<string, string>> = {
  fox: 'sitting fox #e8702a #fbeede #5a2f20 bushy',
  wolf: 'sitting wolf #8e979f #dfe3e6 #565f67 bushy',
  bear: 'sitting bear #7d4f35 #a77a55 #4b2d1e',
  'polar-bear': 'sitting polar-bear #eef1f2 #ffffff #b6c1c9',
  lion: 'sitting lion #e3a94a #f2cf87 #8a5622 tuft',
  panda: 'sitting panda #2f3136 #f7f7f5 #18191c',
  koala: 'sitting koala #98a3aa #e3e7ea #5e6970',
  hamster: 'sitting hamster #e3a862 #fbeedd #b9793f',
  frog: 'sitting frog #6fae3c #d7e8a2 #437a24',
  unicorn: 'sitting unicorn #efe9f4 #ffffff #b9a9d6 bushy',
  wizard: 'robed mage #3d3f8f #d9b24a',
  witch: 'robed mage #2b2436 #6d4a8a',
  princess: 'robed princess #d96f9d #f6d7e4',
  queen: 'robed princess #7d2146 #e2bc58',
  king: 'robed prince #7a1f2b #e2bc58',
  prince: 'standing prince #2f4f95 #27304a',
  elf: 'robed elf #3f7a4a #cfa94a',
  'santa-claus': 'standing santa-claus #c5262f #b21f28',
  farmer: 'standing farmer #5b8f55 #3e5f96',
  artist: 'standing artist #6b7480 #4a4038',
  ninja: 'standing ninja #24272d #1b1d22',
  'old-man': 'standing old-man #6f6454 #4a4b52',
  'old-woman': 'robed old-woman #7c5a78 #cdb9c8',
  boy: 'standing boy #3f83bf #46505e',
  girl: 'robed girl #d9735a #f4d3b0',
  child: 'standing child #e0a63c #4d6b88',
  singer: 'standing singer #8f2f5c #26222b',
  vampire: 'robed vampire #22202a #8c1a2a',
  detective: 'standing detective #6e6252 #3f3b37',
  scientist: 'robed scientist #eef0f0 #cfd6da',
};

let icons: ReadonlyMap<string, string> | null = null;

/** Loads the icon set once in each worker thread, and keeps the icons that can be drawn. */
function load(): ReadonlyMap<string, string> {
  const path = require.resolve('@iconify-json/noto/icons.json');
  const set = JSON.parse(readFileSync(path, 'utf8')) as IconSet;
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
  if (files.includes(name)) return file(name);
  const figure = figures[name];
  if (!figure) return iconSvg(`${name}-${skinTones[tone % skinTones.length]!}-skin-tone`) ?? iconSvg(name);
  const [body = '', head = '', c1 = '', c2 = '', c3 = '', tail = ''] = figure.split(' ');
  const style = `.c1{fill:${c1}}.c2{fill:${c2}}.c3{fill:${c3}}.s1{stroke:${c1}}.s3{stroke:${c3}}.${tail}{display:inline}`;
  const headSvg = iconSvg(head, 'x="14" y="0" width="100" height="100"') ?? '';
  return file(body)
    .replace('</style>', `${style}</style>`)
    .replace(/<\/svg>\s*$/, `${headSvg}</svg>`);
}
