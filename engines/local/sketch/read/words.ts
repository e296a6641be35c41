/** Splits a prompt into lower-case words and brings plurals back to their singular. */

const irregular: Readonly<Record<string, string>> = {
  men: 'man',
  women: 'woman',
  children: 'child',
  people: 'person',
  mice: 'mouse',
  geese: 'goose',
  wolves: 'wolf',
  leaves: 'leaf',
  knives: 'knife',
  loaves: 'loaf',
  oxen: 'ox',
  feet: 'foot',
  teeth: 'tooth',
  cacti: 'cactus',
  octopi: 'octopus',
  calves: 'calf',
  elves: 'elf',
  shelves: 'shelf',
  scarves: 'scarf',
  wives: 'wife',
  lives: 'life',
  thieves: 'thief',
  firemen: 'fireman',
  fishermen: 'fisherman',
  snowmen: 'snowman',
  mermen: 'merman',
  skies: 'sky',
  bees: 'bee',
  trees: 'tree',
  shoes: 'shoe',
  canoes: 'canoe',
  toes: 'toe',
  pies: 'pie',
  cookies: 'cookie',
  movies: 'movie',
  zombies: 'zombie',
  butterflies: 'butterfly',
  dwarves: 'dwarf',
  hooves: 'hoof',
  planes: 'plane',
  glasses: 'glasses',
  scissors: 'scissors',
  jeans: 'jeans',
  olives: 'olive',
  avocados: 'avocado',
  axes: 'axe',
  horses: 'horse',
  houses: 'house',
  roses: 'rose',
  vases: 'vase',
  eclipses: 'eclipse',
  buses: 'bus',
  moose: 'moose',
  cheese: 'cheese',
  waves: 'wave',
  caves: 'cave',
  doves: 'dove',
  gloves: 'glove',
  stoves: 'stove',
};

/** Words, accents removed, hyphens and possessives split. */
export function words(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The singular of an English word, or the word itself. */
export function singular(word: string): string {
  const known = irregular[word];
  if (known) return known;
  if (word.length < 4 || /(ss|us|is|as)$/.test(word) || !word.endsWith('s')) return word;
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ch|sh|x|zz|s|[^aeiou]o)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const numbers: Readonly<Record<string, number>> = {
  one: 1,
  single: 1,
  lone: 1,
  solitary: 1,
  two: 2,
  pair: 2,
  couple: 2,
  twin: 2,
  three: 3,
  trio: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  dozen: 9,
  few: 3,
  some: 3,
  several: 4,
  many: 7,
  flock: 7,
  herd: 5,
  school: 7,
  shoal: 7,
  pack: 4,
  swarm: 8,
  group: 4,
  fleet: 5,
  crowd: 8,
  bunch: 5,
  family: 3,
  row: 5,
  countless: 10,
  lots: 7,
};

/** How many a word asks for, at most ten are drawn. */
export function countOf(word: string): number | null {
  if (/^\d{1,4}$/.test(word)) return Math.min(10, Math.max(1, Number(word)));
  return numbers[word] ?? null;
}
