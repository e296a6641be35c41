/** Proposes different styles for a prompt, ranked by its content, each with a complete prompt. */
import { hashText, Random } from '../sketch/random.ts';
import type { Reading } from '../sketch/read/brief.ts';
import { read } from '../sketch/read/read.ts';
import { cutAt, trimmedEnd } from './budget.ts';
import styles from './styles.json' with { type: 'json' };

export interface StyleOption {
  name: string;
  description: string;
  prompt: string;
}

/** A style; `suits` names the scenes, places, times, weather, moods and things that it suits. */
type Style = (typeof styles)[number];

const longest = 4000;

/** @param count 1–8 */
export function styleOptions(prompt: string, count: number): StyleOption[] {
  const own = prompt.trim().replaceAll(/\s+/gu, ' ');
  const reading = read(own);
  const { scenes, weather, moods, lamps, time, subjects } = reading;
  const sights = subjects.flatMap(({ thing }) => [thing.place, thing.name]);
  const seen = new Set<string | null>([...scenes, ...weather, ...moods, ...lamps, ...sights, time]);
  const random = new Random(hashText(own));
  const scored = styles.map((style) => {
    const named = own.toLowerCase().includes(style.name.toLowerCase()) ? 10 : 0;
    const suiting = style.suits.split(' ').filter((sight) => seen.has(sight)).length;
    return { style, score: named + suiting * 2 + random.next() * 0.9 };
  });
  const best = scored.sort((a, b) => b.score - a.score).slice(0, count);
  return best.map(({ style }) => ({
    name: style.name,
    description: `${style.description} ${reasonFor(style, reading)}`.trim(),
    prompt: `${cutAt(trimmedEnd(own) || own, longest - style.phrase.length - 2)}, ${style.phrase}`,
  }));
}

/** Returns why the style suits the subject or the scene, which "it" stands for in the table. */
function reasonFor({ why }: Style, { subjects: [subject], scenes: [scene] }: Reading): string {
  if (subject) return why.replace('it', `the ${subject.thing.name.replaceAll('-', ' ')}`);
  return scene !== undefined && scene !== 'abstract' ? why.replace('it', `the ${scene} scene`) : '';
}
