/** Reads a prompt. The longest known phrase wins, and each word counts once. */
import { wordSet } from '../../language/phrases.ts';
import type { Colour } from '../colour.ts';
import type { Reading, Subject } from './brief.ts';
import * as known from './vocabulary.ts';
import type { Lamp, Mood, Scene, Thing, Time, Weather } from './vocabulary.ts';
import { countOf, singular, words } from './words.ts';

const longestPhrase = 3;
const determiners = wordSet('a an the this that these those my your his her our their its another every each');
/** Words that end a noun phrase. */
const joints = wordSet(
  'in on at of and or with by under over near beside behind above against among while during from to into that as is are',
);
const adjective = /(ful|ous|ic|ish|ed|ing|al|ient|ant|ive|y|old|new|cute|wild|proud|lone|brave|nice|great|fine)$/;

const noun = String.raw`(?!(?:an?|the|any)(?!\p{L}))[\p{L}-]+`;
/** Words that may stand between a negation and its noun. */
const asides = String.raw`(?:(?:any|an?|the|other|single|visible|big|small|old|young|new)\s+){0,4}`;
/** Matches excluded things. "A dog that is not a puppy" excludes nothing; "without a hat and a dog" only the hat. */
const negation = new RegExp(
  String.raw`(?<!\p{L})(?:no|without|(?<!(?:that|which|who)\s+(?:is|are|was|were)\s+)not(?=\s+(?:any|an?|the)\s))\s+${asides}(${noun}(?:\s+(?:n?or\s+${asides}|and\s+(?:the\s+)?)${noun})?)`,
  'giu',
);

/** Moves phrases such as "no people", "without the clouds" and "not a dog" to the negative prompt. */
export function splitNegations(prompt: string): { wanted: string; unwanted: string } {
  const unwanted: string[] = [];
  const wanted = prompt.replaceAll(negation, (_, what: string) => {
    unwanted.push(what);
    return ' , ';
  });
  return { wanted, unwanted: unwanted.join(', ') };
}

export const read = (text: string): Reading =>
  new Reader(words(known.translateScripts(text.replaceAll(known.figures, ' ')))).read();

class Reader {
  readonly #tokens: readonly string[];
  readonly #found = {
    scenes: new Set<Scene>(),
    time: null as Time | null,
    hours: new Set<Time>(),
    weather: new Set<Weather>(),
    lamps: new Set<Lamp>(),
    moods: new Set<Mood>(),
    colours: [] as { name: string; colour: Colour }[],
    subjects: new Map<string, Subject>(),
  };
  /** Count, colour and scale that the preceding words give to the next thing. */
  #count: number | null = null;
  #tint: { name: string; colour: Colour; at: number } | null = null;
  #scale = 1;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  read(): Reading {
    for (let at = 0; at < this.#tokens.length;) {
      const end = this.#phraseAt(at);
      if (end === null) this.#quantity(this.#tokens[at] ?? '');
      at = end ?? at + 1;
    }
    this.#holdTint(null);
    const { scenes, subjects } = this.#found;
    return { ...this.#found, scenes: [...scenes], subjects: [...subjects.values()] };
  }

  /** Reads the longest known phrase at a position. Returns the position after it, or null if there is none. */
  #phraseAt(at: number): number | null {
    for (let end = Math.min(at + longestPhrase, this.#tokens.length); end > at; end--) {
      const phrase = this.#tokens.slice(at, end).join(' ');
      const single = [...this.#tokens.slice(at, end - 1), singular(this.#tokens[end - 1] ?? '')].join(' ');
      const colour = known.colourWords.get(phrase);
      const thing = this.#thingAt(at, end, phrase, single);
      if (thing) this.#addSubject(thing, at, phrase !== single && !single.endsWith('s'));
      const isNamed = this.#addSurroundings(phrase, end > at + 1 ? single : phrase);
      // A colour belongs to the thing after it, or else to the picture.
      if (colour && !thing) this.#holdTint({ name: phrase, colour, at });
      if (thing || isNamed || colour) return end;
    }
    return null;
  }

  /**
   * Returns the thing that a phrase names. A shy word counts only after a word that announces a thing; a colour, only
   * if no noun follows.
   */
  #thingAt(at: number, end: number, phrase: string, single: string): Thing | null {
    const isPlural = phrase !== single;
    const before = this.#tokens[at - 1] ?? '';
    const isAnnounced =
      determiners.has(before) || countOf(before) !== null || known.sizeWords.has(before) || this.#tint !== null;
    if (isPlural && known.sceneWords.has(phrase)) return null;
    if (!isPlural && known.colourWords.has(phrase)) {
      const isLast = end === this.#tokens.length || joints.has(this.#tokens[end] ?? '');
      if (!isLast || before === 'the' || !isAnnounced) return null;
    }
    const isDescribed = adjective.test(before) && !joints.has(before);
    if (!isPlural && known.shy.has(single) && !isAnnounced && !isDescribed) return null;
    const named = (words: string): Thing | undefined =>
      known.things.get(known.synonyms.get(words) ?? words.replaceAll(' ', '-'));
    return named(phrase) ?? named(single) ?? null;
  }

  #addSubject(thing: Thing, at: number, isPlural: boolean): void {
    const tint = this.#tint && at - this.#tint.at <= 2 ? this.#tint.colour : null;
    if (tint) this.#tint = null;
    const count = this.#count ?? (isPlural ? 3 : 1);
    const { subjects } = this.#found;
    if (!subjects.has(thing.name)) subjects.set(thing.name, { thing, count, tint, scale: this.#scale });
    this.#count = null;
    this.#scale = 1;
  }

  /** Returns whether the phrase names a scene, a time, weather, a lamp or a mood. */
  #addSurroundings(phrase: string, single: string): boolean {
    const found = this.#found;
    const scene = known.sceneWords.get(phrase) ?? known.sceneWords.get(single);
    const time = known.timeWords.get(phrase);
    const weather = known.weatherWords.get(phrase);
    const lamp = known.lampWords.get(phrase);
    const mood = known.moodWords.get(phrase);
    if (scene) found.scenes.add(scene);
    if (time) {
      const prevails = time === 'aurora' || time === 'neon' || time === 'storm';
      if (!found.time || prevails || (found.time === 'night' && time !== 'day')) found.time = time;
      if (!lamp || known.hourWords.has(phrase)) found.hours.add(time);
    }
    if (weather) found.weather.add(weather);
    if (weather && /storm|thunder|tempest/.test(phrase)) found.weather.add('rain').add('lightning').add('clouds');
    if (lamp) found.lamps.add(lamp);
    if (mood) found.moods.add(mood);
    return Boolean(scene ?? time ?? weather ?? lamp ?? mood);
  }

  #quantity(word: string): void {
    const count = countOf(word);
    if (count !== null) this.#count = count;
    else if (joints.has(word) && word !== 'of') this.#count = null;
    this.#scale = known.sizeWords.get(word) ?? this.#scale;
  }

  #holdTint(tint: { name: string; colour: Colour; at: number } | null): void {
    if (this.#tint) this.#found.colours.push({ name: this.#tint.name, colour: this.#tint.colour });
    this.#tint = tint;
  }
}
