/** Splits a prompt into fragments and classifies them. */
import { wordPattern } from '../language/phrases.ts';
import vocabulary from './prompts.json' with { type: 'json' };

export const kinds = ['subject', 'setting', 'light', 'composition', 'style'] as const;
export type Kind = (typeof kinds)[number];

export interface Fragment {
  text: string;
  kind: Kind;
}

const pattern = (kind: keyof typeof vocabulary.kinds): RegExp => new RegExp(wordPattern(vocabulary.kinds[kind]), 'iu');
const patterns = { composition: pattern('composition'), style: pattern('style'), light: pattern('light') };
const setting =
  /^(?:in|on|at|by|near|under|inside|outside|against|before|beside|among|above|over|beneath|set (?:in|on|at)|high (?:in|above))\b|\b(?:background|backdrop|landscape|surroundings|setting)\b/iu;

/** A fragment that continues the one before it cannot be moved. */
const leaning =
  /^(?:and|or|but|who|whose|which|that|where|while|as|with (?!soft|clear|warm|gentle)|his|her|its|their|made|surrounded|covered|filled|\p{L}+ing (?!light|view|shot|horizon|signs|window))/iu;

/** Returns whether a prompt has a word for its light, composition or style. */
export const mentions = (prompt: string, kind: keyof typeof patterns): boolean => patterns[kind].test(prompt);

/** Returns the kind of a fragment other than the first. */
export const kindOf = (text: string): Kind =>
  (['composition', 'style', 'light'] as const).find((kind) => mentions(text, kind)) ??
  (setting.test(text) ? 'setting' : 'subject');

/** The first fragment is the subject, unless it is only a medium, such as "watercolor", and another fragment can be it. */
export function fragmentsOf(prompt: string): Fragment[] {
  const parts: string[] = [];
  for (const part of prompt.split(/[,;、，\n]/u)) {
    const text = part.trim();
    const last = parts.at(-1);
    if (last !== undefined && leaning.test(text)) parts[parts.length - 1] = `${last}, ${text}`;
    else if (text !== '') parts.push(text);
  }
  const found = parts.map((text) => ({ text, kind: kindOf(text) }));
  const [first, ...others] = found;
  const isMedium =
    first?.kind === 'style' && !/\s\S+\s/u.test(first.text) && others.some(({ kind }) => kind === 'subject');
  if (first && !isMedium) first.kind = 'subject';
  return found;
}

/** Returns words without repetitions, whatever their case. */
export const unique = (words: readonly string[]): string[] =>
  words.filter((word, i) => words.findIndex((other) => other.toLowerCase() === word.toLowerCase()) === i);
