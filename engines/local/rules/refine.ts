/** Orders a prompt by subject, setting, light, composition and style, and adds what is missing. */
import type { StyleWords } from '../../contract/index.ts';
import { hashText, Random } from '../sketch/random.ts';
import { read } from '../sketch/read/read.ts';
import { cutAt, trimmedEnd } from './budget.ts';
import { lightOf } from './enhance.ts';
import { fragmentsOf, kindOf, kinds, mentions, unique, type Fragment } from './fragments.ts';
import { capital } from './phrasebook.ts';
import phrases from './prompts.json' with { type: 'json' };

/** Longest prompt, in code points. */
const longest = 4000;
/** Number of words from which a prompt gets no additions. */
const rich = 40;
const request =
  /^(?:please[,\s]+)?(?:(?:can|could|would) you\s+)?(?:i (?:want|need|would like)|create|generate|make|draw|paint|render|show|give|design)(?:\s+(?:me|us))?\s+(?=(?:an?|the|some|two|three|my|this|\d)(?!\p{L}))(?:(?:an?|the)\s+(?:\p{L}+\s+)?(?:image|picture|photo|illustration)\s+(?:of|showing|with)\s+)?/iu;
const courtesy = /(?<![,;\s])[,;\s]+(?:please|thanks|thank you)[.!]?$/iu;
const intro = 'in a style of ';

/** Returns the prompt in the words of a style. A second pass changes nothing. */
export function refine(prompt: string, style: StyleWords | null): string {
  const keywords = unique((style?.keywords ?? []).map((word) => word.trim())).filter(Boolean);
  const own = prompt.normalize('NFC').replaceAll(/\s+/gu, ' ').trim();
  const bare = own.replace(request, '').replace(courtesy, '').trim();
  const said = withoutStyle(bare === '' ? own : bare, keywords);
  // Whole sentences keep their order, because a comma in them is no boundary.
  const isProse = /\p{L}{2}[.!?]\s/u.test(said) || /,\s(?:which|who|but)\s/u.test(said);
  const ordered = isProse ? said : arranged(distinct(fragmentsOf(said)));
  const body = trimmedEnd(ordered) || ordered;
  const additions = missing(body);
  const woven = keywords.filter((word) => !body.toLowerCase().includes(word.toLowerCase()));
  const tail = woven.length === 0 ? [] : [intro + woven.join(', ')];
  const fragments = [...fragmentsOf(body), ...additions.map((text) => ({ text, kind: kindOf(text) }))];
  const full = isProse
    ? `${[body, ...[...additions, ...tail].map(capital)].join('. ')}.`
    : [arranged(fragments), ...tail].join(', ');
  return [...full].length <= longest ? full : cutAt(ordered, longest);
}

/** Removes the keywords that an earlier pass added at the end. */
function withoutStyle(prompt: string, keywords: readonly string[]): string {
  const at = prompt.toLowerCase().lastIndexOf(intro);
  const known = new Set(keywords.map((word) => word.toLowerCase()));
  const woven = trimmedEnd(prompt.slice(at + intro.length).toLowerCase()).split(/,\s*/u);
  return at > 0 && woven.every((word) => known.has(word)) ? trimmedEnd(prompt.slice(0, at)) : prompt;
}

/** Removes repeated fragments, and fragments that are one word of an earlier one. */
function distinct(fragments: readonly Fragment[]): Fragment[] {
  const seen = new Set<string>();
  return fragments.filter(({ text }) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const isKnown = words.length > 0 && seen.has(words.join(' '));
    for (const word of [...words, words.join(' ')]) seen.add(word);
    return !isKnown;
  });
}

const arranged = (fragments: readonly Fragment[]): string =>
  kinds
    .flatMap((kind) => fragments.filter((fragment) => fragment.kind === kind))
    .map(({ text }) => text.replace(/(?<!\.)\.+$/u, ''))
    .join(', ');

/** Returns light and composition if a short prompt names none, chosen by its subject. */
function missing(prompt: string): string[] {
  if (prompt.split(/\s+/u).length >= rich || prompt.length > longest - 400) return [];
  const reading = read(prompt);
  const random = new Random(hashText((prompt.split(/[,.]/u)[0] ?? prompt).toLowerCase()));
  const light = mentions(prompt, 'light') || reading.time ? null : lightOf(reading);
  const composition = mentions(prompt, 'composition') ? null : phrases.compositions;
  return [light, composition].flatMap((choice) => (choice ? [random.pick(choice)] : []));
}
