/** Adds light, setting, composition and palette to a short prompt, after the client's own words. */
import { Random, hashText } from '../sketch/random.ts';
import type { Reading } from '../sketch/read/brief.ts';
import { read } from '../sketch/read/read.ts';
import { words } from '../sketch/read/words.ts';
import { trimmedEnd } from './budget.ts';
import { mentions } from './fragments.ts';
import phrases from './prompts.json' with { type: 'json' };

/** Longest prompt, in characters. */
const longest = 4000;
/** Number of words from which a prompt stays as it is. */
const rich = 45;
const byStyle: Readonly<Record<string, string | undefined>> = phrases.byStyle;

/** Returns phrases of light that suit the place, or null for a place without daylight. */
export function lightOf({ scenes, subjects }: Reading): readonly string[] | null {
  const [setting] = scenes;
  if (setting === 'space' || setting === 'abstract' || setting === 'underwater') return null;
  const isIndoor = setting === 'table' || setting === 'room' || (!setting && subjects[0]?.thing.place === 'table');
  return isIndoor ? phrases.indoorLight : phrases.openLight;
}

/** Returns the prompt with additions, which are the same for the same prompt and style. */
export function enhance(prompt: string, style: string | null): string {
  const own = prompt.trim().replaceAll(/\s+/gu, ' ');
  const length = words(own).length;
  if (length >= rich || own.length > longest - 600) return own;
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
