/** Orders a prompt by subject, setting, light, composition and style, and adds what is missing. */
import type { StyleWords } from '../../contract/index.ts';
import { hashText, Random } from '../sketch/random.ts';
import { cutAt } from './budget.ts';
import { fragmentsOf, kinds, mentions, type Fragment } from './fragments.ts';
import { read } from '../sketch/read/read.ts';

const longest = 4000;
/** Words from which a prompt gets no additions. */
const rich = 40;
const frame =
  /^(?:please[,\s]+)?(?:(?:can|could|would) you\s+)?(?:please\s+)?(?:(?:i|we)(?:\s+(?:want|need|would like)|['’]d like)(?:\s+to (?:see|have))?|create|generate|make|draw|paint|render|show|give|produce|design)(?:\s+(?:me|us))?(?=\s+(?:an?|the|some|two|three|my|this|\d)(?!\p{L}))\s+(?:(?:an?|the)\s+(?:\p{L}+\s+)?(?:image|picture|photo|illustration)\s+(?:of|showing|with)\s+)?/iu;
const intro = 'in a style of ';
/** No commas, so that a second pass reads each as one fragment. */
const openLight = ['soft natural light from the side', 'gentle late-day light with long shadows', 'clear daylight'];
const indoorLight = ['window light from the left', 'soft directional light with quiet shadows'];
const compositions = [
  'composed on the rule of thirds',
  'a balanced composition with generous empty space',
  'a low viewpoint that leads the eye inward',
  'framed simply with one clear focal point',
];

export function refine(prompt: string, style: StyleWords | null): string {
  const keywords = unique(style?.keywords ?? []);
  const own = normalised(prompt);
  const said = keywords.length === 0 ? own : withoutWoven(own, keywords);
  const ordered = sentencesIn(said) ? said : arranged(dedupe(fragmentsOf(said)));
  const body = ordered.replace(/(?<![\s.,;:])[\s.,;:]+$/u, '');
  const additions = missing(body);
  const woven = keywords.filter((word) => !body.toLowerCase().includes(word.toLowerCase()));
  const tail = woven.length === 0 ? [] : [`${intro}${woven.join(', ')}`];
  const full = sentencesIn(said)
    ? joinedSentences(body, [...additions, ...tail])
    : joinedFragments(body, additions, tail);
  if ([...full].length <= longest) return full;
  return cutAt(ordered, longest);
}

function normalised(prompt: string): string {
  const spaced = prompt
    .normalize('NFC')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ +([,;.!?])/gu, '$1')
    .replaceAll(/,(?=\p{L})/gu, ', ')
    .replaceAll(/([,;])(?:\s*[,;])+/gu, '$1')
    .replace(/(?<=[\p{L}\p{N}])!+$/u, '')
    .trim();
  const bare = spaced.replace(frame, '').replace(/(?<![,;\s])[,;\s]+(?:please|thanks|thank you)[.!]?$/iu, '');
  return bare.trim() === '' ? prompt.trim() : bare.trim();
}

/** Whole sentences keep their order, because a comma in them is no boundary. */
const sentencesIn = (prompt: string): boolean =>
  /\p{L}{2}[.!?](?:\s|$)/u.test(prompt.replace(/(?<![.!?\s])[.!?\s]+$/u, '')) ||
  /[,]\s(?:which|who|but)\s/u.test(prompt);

/** Removes the keywords that an earlier pass added, so that a second pass does not repeat them. */
function withoutWoven(prompt: string, keywords: readonly string[]): string {
  const at = prompt.toLowerCase().lastIndexOf(intro);
  if (at <= 0) return prompt;
  const known = new Set(keywords.map((word) => word.toLowerCase()));
  const woven = prompt
    .slice(at + intro.length)
    .split(/,\s*/u)
    .map((word) => word.trim().replace(/\.$/u, '').toLowerCase());
  return woven.every((word) => known.has(word)) ? prompt.slice(0, at).replace(/(?<![\s,])[\s,]+$/u, '') : prompt;
}

/** Removes repeated fragments, and fragments that are one word of an earlier one. */
function dedupe(fragments: readonly Fragment[]): Fragment[] {
  const seen = new Set<string>();
  return fragments.filter(({ text }) => {
    const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
    const key = words.join(' ');
    if (key !== '' && seen.has(key)) return false;
    seen.add(key);
    for (const word of words) seen.add(word);
    return true;
  });
}

const arranged = (fragments: readonly Fragment[]): string =>
  kinds
    .flatMap((kind) => fragments.filter((fragment) => fragment.kind === kind))
    .map(({ text }) => text.replace(/(?<!\.)\.+$/u, ''))
    .join(', ');

/** Returns light and composition if a short prompt names none, chosen by its subject. */
function missing(prompt: string): string[] {
  const words = prompt.split(/\s+/u).length;
  if (words >= rich || prompt.length > longest - 400) return [];
  const reading = read(prompt);
  const random = new Random(hashText((prompt.split(/[,.]/u)[0] ?? prompt).toLowerCase()));
  const setting = reading.scenes[0];
  const indoor =
    setting === 'table' || setting === 'room' || (!setting && reading.subjects[0]?.thing.place === 'table');
  const dark = setting === 'space' || setting === 'abstract' || setting === 'underwater' || reading.time !== null;
  const lit = random.pick(indoor ? indoorLight : openLight);
  const composed = random.pick(compositions);
  return [...(mentions(prompt, 'light') || dark ? [] : [lit]), ...(mentions(prompt, 'composition') ? [] : [composed])];
}

function joinedFragments(body: string, additions: readonly string[], tail: readonly string[]): string {
  const parts = [...fragmentsOf(body), ...additions.flatMap((text) => fragmentsOf(`x, ${text}`).slice(1))];
  return [arranged(parts), ...tail].join(', ');
}

const joinedSentences = (body: string, additions: readonly string[]): string =>
  [`${body}.`, ...additions.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)].join(' ');

const unique = (keywords: readonly string[]): string[] => {
  const seen = new Set<string>();
  return keywords
    .map((word) => word.trim())
    .filter((word) => word !== '' && !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()));
};
