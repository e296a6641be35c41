/** Names of the parts of a picture. */
import { phraseTable, wordSet } from '../../language/phrases.ts';

export const determiners = wordSet('the his');
/** Parts that need no determiner. */
export const parts = wordSet(
  'background foreground subject subjects sky face faces person people persons man men woman women skin everyone everybody',
);
export const pronouns = wordSet('him her them me us');

const aliases: ReadonlyMap<string, string> = new Map(
  phraseTable(`
    subject: main subject|object, object, foreground, subjects
    people: everyone, everybody
    face: skin
    sky: skies
  `),
);
const leading = wordSet('the his a an all of any unwanted other some this that only');

export function nounOf(words: readonly string[]): string {
  const noun = words.join(' ').replace(/'s?$/u, '');
  return aliases.get(noun) ?? noun;
}

/** Returns the words without determiners at the start. */
export function withoutDeterminers(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !leading.has(word));
  return start < 0 ? [] : words.slice(start);
}
