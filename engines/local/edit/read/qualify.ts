/** Reads clauses that change a quality: "less saturated", "lift the shadows a bit". */
import { phraseTable, Phrases, wordSet } from '../../language/phrases.ts';
import type { LocalEdit, Tone, Where } from '../edits.ts';
import { scaled } from './amount.ts';
import type { Clause } from './clause.ts';
import { colourOf } from './colours.ts';
import { determiners, nounOf, parts, pronouns } from './nouns.ts';
import { editsFor, measured, qualityWords, type QualityName } from './qualities.ts';

type Sign = 1 | -1;

const directions: ReadonlyMap<string, Sign> = new Map(
  phraseTable(`
    1: more, increase, increased, raise, boost, up, higher, high, enhance, add, added, lift, open, crank, bump, pump, bring,
      strengthen, stronger, intensify, amplify, improve, extra, apply, deeper, richer, give, greater, push, convert, maximise
    -1: less, reduce, reduced, decrease, lower, lowered, down, low, drop, cut, weaken, fewer, remove, minimise, kill,
      eliminate, diminish, without, no, recover, dial, lessen, rid, clean, cleanup, drain
  `).map(([word, sign]) => [word, sign === '1' ? 1 : -1]),
);
const complaints = new Phrases(
  phraseTable("too: too, not so|as|too|that, not quite so, isn't so|as, no longer, overly"),
);
/** Verbs that give an amount of either direction: "add less contrast". */
const giving = wordSet('add added give apply');
const lessening = wordSet('less low lower lowered reduced without no fewer weaken');
/** State how it is, so that a complaint reverses them: "the contrast is too low". */
const stating = wordSet('high higher low lower');
/** Name a quality without a direction. */
const neutral = wordSet(
  'brightness lightness exposure luminance luminosity contrast contrasts saturation vividness vibrance vibrancy colour colours hues',
);
const filler = wordSet(`
  it make makes made making turn look looks looking looked bit get have be is are was should need needs could some any a an the in
  into to of with at on & or as effect effects filter filters style styled feel feeling vibe mode version set so that this them they
  its overall amount level levels even film movie camera lens toned tones tone light-handed my there use do go create for edges
  corners around like portrait out back cast hue hues tint from inside within across over
`);
const everything = wordSet('everything everywhere all it rest anything');
const scenery = wordSet('area stuff part thing things scenery space everything all');

const verb = /^(?:make|turn|set|get|give|add|change|keep)$|(?:ing|en|ate|ify|i[sz]e)$/u;
/** Returns whether a word only looks like a verb: "noise", "green". */
const isNoun = (word: string): boolean => word === 'vignetting' || word === 'noise' || colourOf(word) !== null;
const notNouns = wordSet('left right top bottom middle center centre side sides corner edge half third quarter');

interface Reading {
  found: { quality: QualityName; sign: Sign; word: string }[];
  colour: Tone | null;
  direction: Sign | null;
  /** The word that `direction` comes from. */
  lead: string;
  complains: boolean;
  where: Where | null;
  /** The noun as the clause says it. */
  noun: string;
}

const isKnown = (word: string): boolean =>
  qualityWords.has(word) || directions.has(word) || filler.has(word) || word === 'too' || colourOf(word) !== null;

export function qualify({ words, amount }: Clause): LocalEdit[] | null {
  const reading = read(onlyInColour(words));
  if (!reading) return null;
  const { found, colour, where, complains } = reading;
  const direction = complains ? complaintOf(reading) : reading.direction;
  if (direction === null && (complains || words.some((word) => /^(?:is|are|was|looks)$/u.test(word)))) return null;
  const sparesPronoun = where !== null && reading.noun === '';
  const here = where ? { where } : {};
  if (colour) {
    if (sparesPronoun) return null;
    if (found.some(({ quality }) => quality !== 'saturation' && quality !== 'temperature')) return null;
    return [{ kind: 'tint', colour, amount: (direction ?? 1) * scaled(amount, 0.35, 1), ...here }];
  }
  const one = settle(found);
  if (!one) return null;
  const sign = one.sign === (direction ?? 1) ? 1 : -1;
  const directed = direction !== null || found.some(({ word }) => !neutral.has(word));
  const change = measured(one.quality, sign, directed, amount);
  if (!change || (sparesPronoun && (one.quality !== 'blur' || change[0] < 0))) return null;
  const special = change[0] > 0 ? ofPart(one.quality, reading, scaled(change[1], 0.6, 1.2)) : undefined;
  if (special !== undefined) return special;
  return editsFor(one.quality, ...change)?.map((edit) => ({ ...edit, ...here })) ?? null;
}

/** Places of a shallow focus that mean no more than the background of the picture: "bokeh on the dog". */
const inFocus = wordSet(`
  background subject !subject people !people person man men woman women boy boys girl girls child children kid kids baby couple
  dog dogs cat cats horse bird
`);

/** The edits of the background and of faces that are not those of the whole picture; null if there is none. */
function ofPart(quality: QualityName, { where, noun }: Reading, amount: number): LocalEdit[] | null | undefined {
  const around = where === null ? '' : `${where.outside ? '!' : ''}${where.noun}`;
  if (quality === 'focus') return around === '' || inFocus.has(around) ? [{ kind: 'defocus', amount }] : null;
  if ((quality === 'blur' || quality === 'softness') && around === 'background') return [{ kind: 'defocus', amount }];
  if (
    quality === 'blur' &&
    /^!(?:subject|people|person|man|men|woman|women|boy|girl|child|children|baby)$/u.test(around)
  )
    return [{ kind: 'defocus', amount }];
  if (!/^faces?$/u.test(noun) || where?.outside) return undefined;
  if (quality === 'blur') return [{ kind: 'censor', how: 'blur' }];
  return quality === 'pixels' ? [{ kind: 'censor', how: 'pixelate' }] : undefined;
}

/** "Keep only the dog in colour" makes everything else monochrome. */
function onlyInColour(words: readonly string[]): readonly string[] {
  if (!/^(?:keep|leave) only .* (?:colour|coloured)$/u.test(words.join(' '))) return words;
  return ['monochrome', 'except', ...words.slice(2, words.at(-2) === 'in' ? -2 : -1)];
}

/** Returns null if a word has no meaning here, because an edit would miss what it says. */
function read(words: readonly string[]): Reading | null {
  const reading: Reading = {
    found: [],
    colour: null,
    direction: null,
    lead: '',
    complains: false,
    where: null,
    noun: '',
  };
  for (let at = 0; at < words.length;) {
    const complaint = complaints.at(words, at);
    const place = complaint ? null : placeAt(words, at);
    if (complaint) reading.complains = true;
    else if (place) {
      if (reading.where) return null;
      reading.where = place.where;
      reading.noun = place.noun;
    } else if (!readWord(reading, words[at] ?? '', words[at + 1] ?? '')) return null;
    at = complaint?.end ?? place?.end ?? at + 1;
  }
  if (reading.found.length === 0 && !reading.colour && /^(?:enhance|improve)$/u.test(reading.lead))
    reading.found.push({ quality: 'quality', sign: 1, word: 'enhance' });
  return reading;
}

function readWord(reading: Reading, word: string, next: string): boolean {
  const quality = qualityWords.get(word);
  const direction = directions.get(word);
  const colour = quality ? null : colourOf(word);
  // "Without the sofa should be red" is not clear.
  if (word === 'should' && reading.where && /^(?:no|without)$/u.test(reading.lead)) return false;
  // "Without blurring the background" asks for no edit, and above all not for the opposite.
  if (/^(?:no|without)$/u.test(word) && !isNoun(next) && (verb.test(next) || directions.has(next))) return false;
  if (direction) {
    // "Tone down" and "bring down" lower, "turn up" and "boost" raise: the particle decides.
    const decides = word === 'up' || word === 'down' || giving.has(reading.lead);
    // "Increase it less" says both.
    if (!decides && reading.direction === 1 && lessening.has(word)) return false;
    if (decides || reading.direction === null) Object.assign(reading, { direction, lead: word });
    if (quality?.quality === 'quality') return true;
  }
  if (quality) reading.found.push({ ...quality, word });
  else if (colour) {
    if (reading.colour) return false;
    reading.colour = colour;
  } else return Boolean(direction) || filler.has(word) || (everything.has(word) && /^(?:except|around)$/u.test(next));
  return true;
}

interface Place {
  where: Where;
  noun: string;
  end: number;
}

function placeAt(words: readonly string[], at: number): Place | null {
  const word = words[at] ?? '';
  const behind = scenery.has(word) && words[at + 1] === 'behind' ? at + 1 : at;
  if (words[behind] === 'behind') {
    const end =
      behind + (determiners.has(words[behind + 1] ?? '') ? 3 : pronouns.has(words[behind + 1] ?? '') ? 2 : 99);
    return end > words.length ? null : { where: { noun: 'background' }, noun: 'background', end };
  }
  const determined = determiners.has(word);
  const around = everything.has(words[at - 1] ?? '') && pronouns.has(words[at + 1] ?? '');
  if (word === 'except' || (word === 'around' && (around || determiners.has(words[at + 1] ?? '')))) {
    if (pronouns.has(words[at + 1] ?? '')) return { where: { noun: 'subject', outside: true }, noun: '', end: at + 2 };
    const noun = nounAt(words, at + (determiners.has(words[at + 1] ?? '') ? 2 : 1), 2);
    return noun && { ...noun, where: { ...noun.where, outside: true } };
  }
  const noun = nounAt(words, determined ? at + 1 : at, 3);
  return noun && (determined || parts.has(noun.noun)) ? noun : null;
}

function nounAt(words: readonly string[], start: number, most: number): Place | null {
  let end = start;
  while (end < words.length && !isKnown(words[end] ?? '') && !/^(?:not|except|behind)$/u.test(words[end] ?? '')) end++;
  const said = words.slice(start, end);
  if (
    said.length === 0 ||
    said.length > most ||
    said.some((word) => determiners.has(word) || notNouns.has(word) || !/^\p{L}/u.test(word))
  )
    return null;
  return { where: { noun: nounOf(said) }, noun: said.join(' '), end };
}

/** Returns null if the verb asks for more of what there is too much of. */
function complaintOf({ direction, lead }: Reading): Sign | null {
  if (direction === null) return -1;
  if (stating.has(lead)) return direction > 0 ? -1 : 1;
  return direction > 0 ? null : -1;
}

/** Several words can name one quality, or one of them its zone: "brighten the shadows", "vivid colours". */
function settle(found: Reading['found']): { quality: QualityName; sign: Sign } | null {
  const [first, ...others] = found;
  if (!first || others.length === 0) return first ?? null;
  const zone = found.find(({ quality }) => quality === 'shadows' || quality === 'highlights');
  if (zone) {
    const [how, ...more] = found.filter((one) => one !== zone);
    if (!how || more.some(({ sign }) => sign !== how.sign)) return null;
    if ([how, ...more].some(({ quality }) => quality !== 'exposure' && quality !== 'softness')) return null;
    if (how.quality === 'softness') return { quality: zone.quality, sign: zone.quality === 'shadows' ? 1 : -1 };
    return { quality: zone.quality, sign: how.sign };
  }
  const strong = found.filter(({ quality, sign }) => !(quality === 'saturation' && sign > 0));
  const [lead, ...rest] = strong.length > 0 ? strong : found;
  return lead && rest.every(({ quality, sign }) => quality === lead.quality && sign === lead.sign) ? lead : null;
}
