/** Adds light, setting, composition and palette to a short prompt, after the client's own words. */
import { Random, hashText } from '../sketch/random.ts';
import { read } from '../sketch/read/read.ts';
import { words } from '../sketch/read/words.ts';
import phrases from './phrases.json' with { type: 'json' };

const longest = 4000;
const byStyle: Readonly<Record<string, string | undefined>> = phrases.byStyle;
/** Words from which a prompt stays as it is. */
const rich = 45;

const has = (text: string, pattern: RegExp): boolean => pattern.test(text);

export function enhance(prompt: string, style: string | null): string {
  const asked = prompt.trim().replaceAll(/\s+/gu, ' ');
  const said = words(asked);
  if (said.length >= rich || asked.length > longest - 600) return asked;
  const random = new Random(hashText(`${asked}\n${style ?? ''}`));
  const reading = read(asked);
  const lower = asked.toLowerCase();
  const additions: string[] = [];
  const setting = reading.scenes[0];
  const indoor =
    setting === 'table' || setting === 'room' || (!setting && reading.subjects[0]?.thing.place === 'table');
  const nowhere = setting === 'space' || setting === 'abstract' || setting === 'underwater';

  if (!setting && reading.subjects.length > 0 && !has(lower, /\bbackground|backdrop\b/)) {
    const place = reading.subjects[0]?.thing.place ?? 'ground';
    additions.push(random.pick(phrases.bySetting[place]));
  }
  if (!has(lower, /\blight|lit|glow|shadow|sun\b|backlit/)) {
    if (reading.time) additions.push(random.pick(phrases.byTime[reading.time]));
    else if (!nowhere) additions.push(random.pick(indoor ? phrases.indoorLight : phrases.openLight));
  }
  if (!has(lower, /\bcompos|close-?up|wide|panoram|aerial|portrait|symmetr|view|angle|perspective/))
    additions.push(random.pick(phrases.compositions));
  if (
    reading.colours.length === 0 &&
    !reading.moods.has('mono') &&
    !reading.moods.has('sepia') &&
    !has(lower, /palette|colou?r|tone/)
  ) {
    additions.push(reading.time ? phrases.paletteByTime[reading.time] : random.pick(phrases.palettes));
  }
  const medium = style === null ? undefined : byStyle[style];
  if (medium && !lower.includes(style?.replaceAll('-', ' ') ?? '')) additions.push(medium);
  if (said.length < 20) additions.push(random.pick(phrases.closings));

  const limit = said.length > 25 ? 2 : 6;
  const lead = asked.replace(/(?<![\s.,;:])[\s.,;:]+$/u, '');
  const full = `${lead}, ${additions.slice(0, limit).join(', ')}`;
  return additions.length === 0 ? asked : [...full].slice(0, longest).join('');
}
