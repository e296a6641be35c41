/** Proposes different styles for a prompt, ranked by its content, each with a complete prompt. */
import { hashText, Random } from '../sketch/random.ts';
import type { Reading } from '../sketch/read/brief.ts';
import { read } from '../sketch/read/read.ts';
import { cutAt } from './budget.ts';
import { styles, type StyleIdea } from './style-ideas.ts';

export interface StyleOption {
  name: string;
  description: string;
  prompt: string;
}

const longest = 4000;

/** @param count 1–8 */
export function styleOptions(prompt: string, count: number): StyleOption[] {
  const asked = prompt.trim().replaceAll(/\s+/gu, ' ');
  const reading = read(asked);
  const seen = sightsOf(reading);
  const random = new Random(hashText(asked));
  const scored = styles.map((idea) => ({ idea, score: scoreOf(idea, asked, seen) + random.next() * 0.9 }));
  const best = scored.sort((a, b) => b.score - a.score).slice(0, Math.min(8, Math.max(1, Math.trunc(count))));
  return best.map(({ idea }) => ({
    name: idea.name,
    description: `${idea.description} ${whyOf(idea, reading)}`.trim(),
    prompt: inStyle(asked, idea),
  }));
}

function scoreOf(idea: StyleIdea, prompt: string, seen: ReadonlySet<string>): number {
  const named = prompt.toLowerCase().includes(idea.name.toLowerCase()) ? 10 : 0;
  return named + idea.suits.filter((sight) => seen.has(sight)).length * 2;
}

/** Returns the content of a prompt, in the words that styles are matched by. */
function sightsOf(reading: Reading): Set<string> {
  const seen = new Set<string>([...reading.scenes, ...reading.weather, ...reading.moods, ...reading.lamps]);
  if (reading.time) seen.add(reading.time);
  for (const { thing } of reading.subjects) seen.add(thing.place).add(thing.name);
  return seen;
}

function whyOf(idea: StyleIdea, reading: Reading): string {
  const subject = reading.subjects[0];
  const name = subject?.thing.name.replaceAll('-', ' ');
  if (name !== undefined) return idea.why.replace('it', `the ${name}`);
  const scene = reading.scenes[0];
  return scene !== undefined && scene !== 'abstract' ? idea.why.replace('it', `the ${scene} scene`) : '';
}

function inStyle(prompt: string, idea: StyleIdea): string {
  const room = longest - idea.phrase.length - 2;
  const lead = cutAt(prompt.replace(/(?<![\s.,;:])[\s.,;:]+$/u, '') || prompt, room);
  return `${lead}, ${idea.phrase}`;
}
