/** Splits a prompt into lower-case words, and finds singulars and numbers. */
import { phraseTable } from '../../language/phrases.ts';

const irregular: ReadonlyMap<string, string> = new Map(
  `men man, women woman, children child, people person, mice mouse, geese goose, wolves wolf, leaves leaf, knives knife, loaves loaf, oxen ox, feet foot, teeth tooth, cacti cactus, octopi octopus, calves calf, elves elf, shelves shelf, scarves scarf, wives wife, lives life, thieves thief, firemen fireman, fishermen fisherman, snowmen snowman, mermen merman, shoes shoe, canoes canoe, toes toe, pies pie, cookies cookie, movies movie, zombies zombie, dwarves dwarf, hooves hoof, glasses glasses, scissors scissors, jeans jeans, axes axe, horses horse, houses house, roses rose, vases vase, eclipses eclipse`
    .split(', ')
    .map((pair) => pair.split(' ') as [string, string]),
);

/** Returns the words without accents, hyphens and possessives. */
export function words(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Returns the singular of an English word, or the word itself. */
export function singular(word: string): string {
  const known = irregular.get(word);
  if (known) return known;
  if (word.length < 4 || /(ss|us|is|as)$/.test(word) || !word.endsWith('s')) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|zz|s|[^aeiou]o)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const numbers: ReadonlyMap<string, number> = new Map(
  phraseTable(`
    1: one, single, lone, solitary
    2: two, pair, couple, twin
    3: three, trio, few, some, family
    4: four, several, pack, group
    5: five, herd, fleet, bunch, row
    6: six
    7: seven, many, flock, school, shoal, lots
    8: eight, swarm, crowd
    9: nine, dozen
    10: ten, countless
  `).map(([word, count]) => [word, Number(count)]),
);

/** Returns the number that a word means, at most ten; null if it means none. */
export function countOf(word: string): number | null {
  if (/^\d{1,4}$/.test(word)) return Math.min(10, Math.max(1, Number(word)));
  return numbers.get(word) ?? null;
}
