/** Qualities that a picture can have more or less of, and the words for them. */
import { Phrases, phrasesOf } from '../../language/phrases.ts';
import type { LocalEdit, Tone } from '../edits.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };
import { scaled, type Amount } from './words.ts';

type Sign = 1 | -1;
type Scaled = 'exposure' | 'saturation' | Exclude<Extract<LocalEdit, { amount: number }>['kind'], 'tint'>;
/** An edit as it is, or the amounts of one: `usual` for a plain word, `all` for 100 %. */
type Step = LocalEdit | readonly [kind: Scaled, usual: number, all: number];

interface Quality {
  /** No edits: the quality cannot be changed in that direction. */
  more: readonly Step[];
  less: readonly Step[];
}

const only = (...more: Step[]): Quality => ({ more, less: [] });
const either = (more: Step, less: Step): Quality => ({ more: [more], less: [less] });
const both = (...more: (readonly [kind: Scaled, usual: number, all: number])[]): Quality => ({
  more,
  less: more.map(([kind, usual, all]) => [kind, -usual, -all]),
});

const teal: Tone = [0.12, 0.45, 0.5];
const changes = {
  exposure: both(['exposure', 0.6, 1]),
  contrast: both(['contrast', 0.3, 1]),
  shadows: both(['shadows', 0.4, 1]),
  highlights: both(['highlights', 0.4, 1]),
  temperature: both(['temperature', 0.4, 1]),
  saturation: either(['saturation', 0.35, 1], ['saturation', -0.4, -1]),
  sharpness: either(['sharpen', 0.6, 1.2], ['blur', 0.25, 1]),
  blur: either(['blur', 0.6, 1.5], ['sharpen', 0.8, 1.2]),
  focus: only(['defocus', 0.6, 1.2]),
  noise: either(['grain', 0.5, 1], ['denoise', 0.6, 1]),
  smoothness: only(['denoise', 0.7, 1]),
  clarity: both(['clarity', 0.5, 1]),
  softness: both(['clarity', -0.5, -1]),
  transparency: only(['clarity', 0.5, 1], ['contrast', 0.2, 0.6], ['saturation', 0.12, 0.4]),
  vignette: both(['vignette', 0.5, 1]),
  pop: both(['contrast', 0.18, 0.5], ['saturation', 0.28, 0.8]),
  drama: only(['clarity', 0.6, 1], ['contrast', 0.3, 0.8], ['vignette', 0.35, 0.8]),
  mood: only(['exposure', -0.4, -1], ['saturation', -0.22, -0.5], ['contrast', 0.2, 0.5], ['vignette', 0.4, 0.8]),
  cinema: only(['contrast', 0.25, 0.6], ['vignette', 0.3, 0.8], { kind: 'tint', colour: teal, amount: 0.1 }),
  dream: only(['clarity', -0.7, -1], ['exposure', 0.25, 0.4], ['saturation', -0.1, -0.2]),
  monochrome: only({ kind: 'monochrome' }),
  sepia: only(['sepia', 1, 1]),
  vintage: only(['vintage', 1, 1]),
  inversion: only({ kind: 'invert' }),
  pixels: only(['pixelate', 1, 2]),
  quality: only({ kind: 'auto' }),
} satisfies Record<string, Quality>;

export type QualityName = keyof typeof changes;

/** Returns the edits for more or less of a quality; null if there is no such edit. */
export function editsFor(name: QualityName, sign: Sign, amount: Amount): LocalEdit[] | null {
  const steps: readonly Step[] = sign > 0 ? changes[name].more : changes[name].less;
  return steps.length === 0 ? null : steps.map((step) => ('kind' in step ? step : scaledEdit(...step, amount)));
}

function scaledEdit(kind: Scaled, usual: number, all: number, amount: Amount): LocalEdit {
  const change = scaled(amount, usual, all);
  if (kind === 'saturation') return { kind, factor: Math.max(0, 1 + change) };
  if (kind !== 'exposure') return { kind, amount: change };
  // Percentages are of the brightness that people see, not of the light.
  return { kind, stops: amount.percent === null ? change : 2.2 * Math.log2(Math.max(0.05, 1 + change)) };
}

/** Verbs change ("brighten"), adjectives follow "make it" ("brighter"), nouns need a direction ("more contrast"). */
export type WordClass = 'verb' | 'adjective' | 'noun';

export interface Trait {
  quality: QualityName;
  sign: Sign;
}

/** The words of each class; a word with a hyphen in front means less of its quality. */
export const traits = {
  verb: traitsOf(vocabulary.verbs),
  adjective: traitsOf(vocabulary.adjectives),
  noun: traitsOf(vocabulary.nouns),
};

function traitsOf(words: Partial<Record<QualityName, string>>): Phrases<Trait> {
  return new Phrases(
    phrasesOf(words as Record<QualityName, string>).map(([phrase, quality]) => [
      phrase.replace(/^-/u, ''),
      { quality, sign: phrase.startsWith('-') ? -1 : 1 },
    ]),
  );
}

export const isTrait = (word: string): boolean =>
  Object.values(traits).some((phrases) => phrases.at([word], 0) !== null);
