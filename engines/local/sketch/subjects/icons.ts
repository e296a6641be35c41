/** The icon set (Noto Emoji, Apache-2.0), cut down to what the illustrator draws. Loaded once in each worker thread. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { things } from '../read/vocabulary.ts';

const require = createRequire(import.meta.url);

interface IconSet {
  icons: Record<string, { body: string } | undefined>;
}

/** Faces that a drawn body carries. */
const heads =
  'bear fox wolf lion panda koala hamster frog polar-bear mage prince princess farmer artist ninja old-man old-woman santa-claus robot student cook pilot singer vampire elf boy girl child tiger-face monkey-face chicken unicorn guard person-with-crown detective scientist'.split(
    ' ',
  );

let kept: ReadonlyMap<string, string> | null = null;

function load(): ReadonlyMap<string, string> {
  const path = require.resolve('@iconify-json/noto/icons.json');
  const { icons } = JSON.parse(readFileSync(path, 'utf8')) as IconSet;
  const wanted = new Set([...things.keys(), ...heads]);
  const found = new Map<string, string>();
  for (const name in icons) {
    const plain = name.replace(/-(?:light|medium-light|medium|medium-dark|dark)-skin-tone$/, '');
    const icon = icons[name];
    if (icon && wanted.has(plain)) found.set(name, Buffer.from(icon.body).toString());
  }
  return found;
}

/** The inside of an SVG with the view box `0 0 128 128`. */
export function iconBody(name: string): string | undefined {
  kept ??= load();
  return kept.get(name);
}

export const skinTones = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'] as const;
