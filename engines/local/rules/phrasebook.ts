/** Replaces words and phrases by those of another tone; `replacements.json` lists them. Each pair fits in nearly every sentence. */
import tables from './replacements.json' with { type: 'json' };

export type Tone = keyof typeof tables;

/** Returns a text with its first letter in upper case. */
export const capital = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}\p{Co}]*\p{Ll}/u, (first) => first.toUpperCase());

/** A filler or a strong adjective keeps the words before it if one of these gives them their meaning. */
const meaningful =
  "(?<!(?:not|n['’]t|never|so|how|too|as|the|no|thank you|thanks|yours|that|this|what|every|are you|do you)\\s+)";
const vowel = /^(?:a|e(?!u)|i|o(?!ne\b|nce\b)|u(?!s[eaiu]|ni(?!n|m)|t[ei])|hour|honest|honou?r|heir)/iu;

interface Phrasebook {
  words: ReadonlyMap<string, string>;
  pattern: RegExp;
}

function phrasebook(tone: Tone): Phrasebook {
  const words = new Map(Object.entries<string>(tables[tone]));
  const longestFirst = [...words.keys()].sort((a, b) => b.length - a.length).join('|');
  const before = tone === 'filler' || tone === 'stronger' ? meaningful : '';
  const pattern = `(?<![\\p{L}\\p{N}'’-])(?:(an?)(\\s+))?${before}(${longestFirst})(?![\\p{L}\\p{N}]|['’-]\\p{L})(\\s*)`;
  return { words, pattern: new RegExp(pattern, 'giu') };
}

const phrasebooks = Object.fromEntries(Object.keys(tables).map((tone) => [tone, phrasebook(tone as Tone)])) as Record<
  Tone,
  Phrasebook
>;

/** Returns the text in the words of a tone, with capitals and articles corrected. */
export function inTone(tone: Tone, text: string): string {
  const { words, pattern } = phrasebooks[tone];
  return text.replaceAll(pattern, (...match) => {
    const [whole = '', article, space = ' ', from = '', after = ''] = match as string[];
    const to = words.get(from.toLowerCase()) ?? from;
    const next = to === '' ? text.slice((match[5] as number) + whole.length) : to;
    const fitting = /^\p{L}/u.test(next) ? (vowel.test(next) ? 'an' : 'a') : article?.toLowerCase();
    const out = `${article === undefined ? '' : `${fitting}${space}`}${to}${to === '' ? '' : after}`;
    return /^\p{Lu}/u.test(article ?? from) && out !== '' ? capital(out) : out;
  });
}
