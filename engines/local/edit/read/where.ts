/** Finds the part of the picture that a clause speaks of. */
import type { Where } from '../edits.ts';

const determiner =
  '(?:the|his|her|their|its|my|our|your|that|those|these|all(?: (?:of )?the| of them)?|every|each|both|only the|just the)';
const within = '(?:in|on|of|to|for|around|at|from|inside|within|across|over)';
const behind =
  /\b(?:(?:the )?(?:area|stuff|part|things?|scenery|space)|everything|all|what(?:'s| is))? ?\bbehind (?:him|her|them|it|me|us|the [\p{L}-]+)\b/gu;
const excepted = new RegExp(
  `\\b(?:(?:on|in|to)? ?(?:everything|everywhere|all|it|the rest|anything) )?(?:except|apart from|other than|outside(?: of)?|excluding|besides|around)(?: for)? ${determiner} ([\\p{L}'-]+(?: [\\p{L}'-]+)?)`,
  'u',
);
const named = new RegExp(
  `(?:\\b${within} )?\\b${determiner} ([\\p{L}'-]+(?: [\\p{L}'-]+)*)|\\b${within} ([\\p{L}'-]+(?: [\\p{L}'-]+)*)`,
  'gu',
);

/** Parts that need no article. */
const bare = new Set(
  'background backdrop foreground subject subjects sky face faces people person persons man men woman women skin everyone everybody'.split(
    ' ',
  ),
);
const aliases: ReadonlyMap<string, string> = new Map([
  ['backdrop', 'background'],
  ['back ground', 'background'],
  ['surroundings', 'background'],
  ['main subject', 'subject'],
  ['main object', 'subject'],
  ['object', 'subject'],
  ['foreground', 'subject'],
  ['subjects', 'subject'],
  ['everyone', 'people'],
  ['everybody', 'people'],
  ['skin', 'face'],
  ['skies', 'sky'],
]);

export function nounOf(phrase: string): string {
  const noun = phrase.replace(/'s?$/u, '').trim();
  return aliases.get(noun) ?? noun;
}

/** @param known says which words have a meaning of their own and cannot be part of a noun */
export function whereOf(text: string, known: (word: string) => boolean): { rest: string; where: Where | null } {
  const plain = text.replace(behind, ' the background ');
  const exception = excepted.exec(plain);
  if (exception?.[1]) {
    const [first = '', second] = exception[1].split(' ');
    const noun = second === undefined || known(second) ? first : `${first} ${second}`;
    const rest = plain.replace(exception[0].slice(0, exception[0].length - exception[1].length) + noun, ' ');
    return { rest, where: { noun: nounOf(noun), outside: true } };
  }
  for (const found of plain.matchAll(named)) {
    const words = (found[1] ?? found[2] ?? '').split(' ').filter(Boolean);
    const end = words.findIndex((word) => known(word));
    const noun = words.slice(0, end < 0 ? words.length : end);
    if (noun.length === 0 || noun.length > 3) continue;
    // Without an article a preposition leads to a place only if it is one that we know.
    if (found[1] === undefined && !bare.has(noun.join(' '))) continue;
    const lead = found[0].slice(0, found[0].indexOf(found[1] ?? found[2] ?? ''));
    return { rest: plain.replace(lead + noun.join(' '), ' '), where: { noun: nounOf(noun.join(' ')) } };
  }
  for (const word of plain.split(' '))
    if (bare.has(word)) return { rest: plain.replace(word, ' '), where: { noun: nounOf(word) } };
  return { rest: plain, where: null };
}
