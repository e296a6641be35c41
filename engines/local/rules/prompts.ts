/** Improves prompts: enhances a short one, or orders one by subject, setting, light, composition and style. */
import type { StyleWords } from '../../contract/index.ts';
import { hashText, Random } from '../sketch/random.ts';
import type { Reading } from '../sketch/read/brief.ts';
import { read } from '../sketch/read/read.ts';
import { words } from '../sketch/read/words.ts';
import { cutAt, trimmedEnd } from './budget.ts';
import { fragmentsOf, kindOf, kinds, mentions, unique, type Fragment } from './fragments.ts';
import { capital } from './phrasebook.ts';
import phrases from './prompts.json' with { type: 'json' };

/** Longest prompt: characters for `enhance`, code points for `refine`. */
const longest = 4000;
/** Numbers of words from which a prompt gets no additions. */
const rich = { enhance: 45, refine: 40 };
const byStyle: Readonly<Record<string, string | undefined>> = phrases.byStyle;

/** Returns phrases of light that suit the place, or null for a place without daylight. */
function lightOf({ scenes, subjects }: Reading): readonly string[] | null {
  const [setting] = scenes;
  if (setting === 'space' || setting === 'abstract' || setting === 'underwater') return null;
  const isIndoor = setting === 'table' || setting === 'room' || (!setting && subjects[0]?.thing.place === 'table');
  return isIndoor ? phrases.indoorLight : phrases.openLight;
}

/** Adds light, setting, composition and palette to a prompt: the same ones for the same prompt and style. */
export function enhance(prompt: string, style: string | null): string {
  const own = prompt.trim().replaceAll(/\s+/gu, ' ');
  const length = words(own).length;
  if (length >= rich.enhance || own.length > longest - 600) return own;
  const random = new Random(hashText(`${own}\n${style ?? ''}`));
  const reading = read(own);
  const { scenes, subjects, time, colours, moods } = reading;
  const lower = own.toLowerCase();
  const isColourless = colours.length === 0 && !moods.has('mono') && !moods.has('sepia');
  const light = time ? phrases.byTime[time] : lightOf(reading);
  const medium = style === null ? undefined : byStyle[style];
  const choices: (string | readonly string[] | null)[] = [
    scenes.length === 0 && subjects[0] && !/\bbackground|backdrop\b/.test(lower)
      ? phrases.bySetting[subjects[0].thing.place]
      : null,
    /\blight|lit|glow|shadow|sun\b/.test(lower) ? null : light,
    mentions(own, 'composition') || lower.includes('portrait') ? null : phrases.compositions,
    isColourless && !/palette|colou?r|tone/.test(lower)
      ? time
        ? phrases.paletteByTime[time]
        : phrases.palettes
      : null,
    medium !== undefined && style !== null && !lower.includes(style.replaceAll('-', ' ')) ? medium : null,
    length < 20 ? phrases.closings : null,
  ];
  const additions = choices.flatMap((choice) =>
    choice === null ? [] : [typeof choice === 'string' ? choice : random.pick(choice)],
  );
  return additions.length === 0 ? own : [trimmedEnd(own), ...additions.slice(0, length > 25 ? 2 : 6)].join(', ');
}

const request =
  /^(?:please[,\s]+)?(?:(?:can|could|would) you\s+)?(?:i (?:want|need|would like)|create|generate|make|draw|paint|render|show|give|design)(?:\s+(?:me|us))?\s+(?=(?:an?|the|some|two|three|my|this|\d)(?!\p{L}))(?:(?:an?|the)\s+(?:\p{L}+\s+)?(?:image|picture|photo|illustration)\s+(?:of|showing|with)\s+)?/iu;
const courtesy = /(?<![,;\s])[,;\s]+(?:please|thanks|thank you)[.!]?$/iu;
const intro = 'in a style of ';

/** Orders a prompt, adds what is missing, and weaves in the words of a style. A second pass changes nothing. */
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
  if (prompt.split(/\s+/u).length >= rich.refine || prompt.length > longest - 400) return [];
  const reading = read(prompt);
  const random = new Random(hashText((prompt.split(/[,.]/u)[0] ?? prompt).toLowerCase()));
  const light = mentions(prompt, 'light') || reading.time ? null : lightOf(reading);
  const composition = mentions(prompt, 'composition') ? null : phrases.compositions;
  return [light, composition].flatMap((choice) => (choice ? [random.pick(choice)] : []));
}
