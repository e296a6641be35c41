/** Reads clauses that ask for more or less of a quality: "less saturated", "lift the shadows a bit". */
import type { LocalEdit } from '../edits.ts';
import type { Clause } from './clause.ts';
import { colourOf } from './colours.ts';
import { scaled } from './amount.ts';
import { measured } from './measure.ts';
import { qualities, qualityWords, type QualityName } from './qualities.ts';
import { whereOf } from './where.ts';

const directions: ReadonlyMap<string, 1 | -1> = new Map([
  ...'more increase increased raise boost up higher high enhance add added lift open crank bump pump bring strengthen stronger intensify amplify improve extra apply deeper richer give greater push convert maximize'
    .split(' ')
    .map((word) => [word, 1] as const),
  ...'less reduce reduced decrease lower lowered down low drop cut weaken fewer remove minimize minimise kill eliminate diminish without no recover dial lessen rid clean cleanup drain'
    .split(' ')
    .map((word) => [word, -1] as const),
]);
const complaint = /\b(?:too|not (?:so|as|too|that|quite so)|isn't (?:so|as)|no longer|overly)\b/gu;
/** Ask for an amount, whichever: "add less contrast". */
const giving = new Set(['add', 'added', 'give', 'apply']);
const lessening = new Set(['less', 'low', 'lower', 'lowered', 'reduced', 'without', 'no', 'fewer', 'weaken']);
/** Say how it is, so that a complaint turns them around: "the contrast is too low". */
const stating = new Set(['high', 'higher', 'low', 'lower']);
/** Name a quality without a direction. */
const names = new Set(
  'brightness lightness exposure luminance luminosity contrast contrasts saturation vividness vibrance vibrancy colour colours color colors hues'.split(
    ' ',
  ),
);
/** "without blurring the background" asks for no edit, and above all not for its opposite. */
const refraining = /\bwithout (?!vignetting)\p{L}+ing\b/u;
const filler = new Set(
  'it make makes made making turn look looks looking looked bit get have be is are was should be need needs could some any a an the in into to of with at on and & or as effect effects filter filters style styled feel feeling vibe image mode version give set so that this them they its overall amount level levels even film movie camera lens toned tones tone light-handed look only just my there apply use do go create for edges corners around like portrait out back tone cast hue hues tint'.split(
    ' ',
  ),
);

interface Reading {
  found: { quality: QualityName; sign: 1 | -1; word: string }[];
  colour: readonly [number, number, number] | null;
  direction: 1 | -1 | null;
  /** The word that `direction` comes from. */
  lead: string;
}

const isKnown = (word: string): boolean =>
  word === 'it' || qualityWords.has(word) || directions.has(word) || filler.has(word) || colourOf(word) !== null;

export function qualify({ text, amount }: Clause): LocalEdit[] | null {
  const idioms = text
    .replace(/\b(?:washed[ -]out|washed out)\b/gu, 'faded')
    .replace(/^(?:keep|leave) only (.+?) (?:in )?colou?r(?:ed)?$/gu, 'monochrome except $1')
    .replace(/\bsoft(?:er|en)(?: the)? light(?:ing)?\b|\blight(?:ing)? soft(?:er)?\b/gu, 'less contrast')
    .replace(/\bold it\b/gu, 'vintage')
    .replace(/\bout of focus\b/gu, 'blurry')
    .replace(/\bhigh[ -]dynamic[ -]range\b/gu, 'hdr')
    .replace(/\bloca?l contrast\b/gu, 'clarity')
    .replace(/\bcolou?r temperature\b/gu, 'temperature')
    .replace(
      /\b(?:remove|drop|strip|drain|take out|without|no|get rid of)(?: all)?(?: of)?(?: the)? colou?rs?\b/gu,
      'monochrome',
    )
    .replace(/\bold[ -](?:fashioned|school|time[sy]?|photo|film)\b|\bold$/gu, 'vintage')
    .replace(/\bclean(?:ed)? up\b/gu, 'clean')
    .replace(/\b(?:soft focus|glow)\b/gu, 'dreamy')
    .replace(/\bgolden hour\b/gu, 'warm')
    .replace(
      /\b(?:fix|correct|balance|adjust)(?: the| its)? (?:exposure|colou?rs?|light(?:ing)?|white balance|contrast|levels|tones?)\b/gu,
      'auto',
    )
    .replace(
      /\b(?:improve|enhance)(?: the| its)? (?:light(?:ing)?|white balance|quality|levels)\b|\bauto[ -](?:enhance|correct|levels|fix|tone|adjust)\b/gu,
      'auto',
    )
    .replace(
      /\b(?:reduce|remove|less|fewer|soften|recover|minimi[sz]e|weaken|get rid of)(?: the)?(?: harsh| dark| hard)? shadows?\b/gu,
      'lift shadows',
    )
    .replace(/\bdeep(?:en|er)(?: the)? (?:shadows?|blacks)\b/gu, 'darken shadows')
    // The particle belongs to the verb here and turns nothing around.
    .replace(/\b(cool|darken|dim|mute|fade)((?: \p{L}+){0,3}?) (?:down|off|out)\b/gu, '$1$2');
  if (refraining.test(idioms)) return null;
  const complained = complaint.test(idioms);
  complaint.lastIndex = 0;
  const { rest, where } = whereOf(idioms.replace(complaint, ' '), isKnown);
  const reading = classify(rest);
  if (!reading) return null;
  const { found, colour } = reading;
  const direction = complained ? complaintOf(reading) : reading.direction;
  if (complained && direction === null) return null;
  if (/\b(?:is|are|was|looks)\b/u.test(rest) && direction === null) return null;
  const here = where ? { where } : {};
  if (colour) {
    if (found.some(({ quality }) => quality !== 'saturation' && quality !== 'temperature')) return null;
    return [{ kind: 'tint', colour, amount: (direction ?? 1) * scaled(amount, 0.35, 1), ...here }];
  }
  const one = settle(found);
  if (!one) return null;
  const sign = (one.sign * (direction ?? 1)) as 1 | -1;
  const directed = direction !== null || found.some(({ word }) => !names.has(word));
  const change = measured({ quality: one.quality, sign, directed }, amount);
  const edits: LocalEdit[] | null = change && qualities[one.quality](change.sign, change.amount);
  return edits?.map((edit) => ({ ...edit, ...here })) ?? null;
}

/** Null where the verb asks for more of what there is too much of. */
function complaintOf({ direction, lead }: Reading): 1 | -1 | null {
  if (direction === null) return -1;
  if (stating.has(lead)) return direction > 0 ? -1 : 1;
  return direction > 0 ? null : -1;
}

/** Every word must have a meaning, or the clause says something that we would miss. */
function classify(text: string): Reading | null {
  const reading: Reading = { found: [], colour: null, direction: null, lead: '' };
  for (const word of text.split(/[\s,]+/u).filter(Boolean)) {
    const quality = qualityWords.get(word);
    const direction = directions.get(word);
    const colour = quality ? null : colourOf(word);
    if (direction) {
      // "tone down" and "bring down" lower, "turn up" and "boost" raise: the particle has the last word.
      const last = word === 'up' || word === 'down' || giving.has(reading.lead);
      // "increase it less" says both.
      if (!last && reading.direction === 1 && lessening.has(word)) return null;
      if (last || reading.direction === null) Object.assign(reading, { direction, lead: word });
      if (quality && quality.quality === 'quality') continue;
    }
    if (quality) reading.found.push({ ...quality, word });
    else if (colour && !reading.colour) reading.colour = colour;
    else if (colour) return null;
    else if (!direction && !filler.has(word)) return null;
  }
  if (reading.found.length === 0 && !reading.colour && /\b(?:enhance|improve)\b/u.test(text))
    reading.found.push({ quality: 'quality', sign: 1, word: 'enhance' });
  return reading;
}

/** Several words may speak of one quality, and one of them may only say which: "brighten the shadows", "vivid colours". */
function settle(found: Reading['found']): { quality: QualityName; sign: 1 | -1 } | null {
  const [first, ...others] = found;
  if (!first) return null;
  if (others.length === 0) return first;
  const zone = found.find(({ quality }) => quality === 'shadows' || quality === 'highlights');
  const said = found.filter((one) => one !== zone);
  if (zone) {
    if (said.some(({ quality }) => quality !== 'exposure' && quality !== 'softness')) return null;
    const softened = zone.quality === 'shadows' ? 1 : -1;
    const [how] = said;
    if (said.some(({ sign }) => sign !== how?.sign)) return null;
    return { quality: zone.quality, sign: how?.quality === 'softness' ? softened : (how?.sign ?? 1) };
  }
  const strong = found.filter(({ quality, sign }) => !(quality === 'saturation' && sign > 0));
  const rest = strong.length > 0 ? strong : found;
  const lead = rest[0] ?? first;
  return rest.every(({ quality, sign }) => quality === lead.quality && sign === lead.sign) ? lead : null;
}
