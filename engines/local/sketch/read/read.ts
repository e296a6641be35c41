/** Reads a prompt. Longer phrases win, and no word counts as two things. */
import { wordSet } from '../../language/phrases.ts';
import type { Colour } from '../colour.ts';
import type { Reading, Subject } from './brief.ts';
import {
  colourWords,
  hourWords,
  lampWords,
  moodWords,
  sceneWords,
  shy,
  sizeWords,
  synonyms,
  things,
  timeWords,
  translateScripts,
  weatherWords,
  type Lamp,
  type Mood,
  type Scene,
  type Thing,
  type Time,
  type Weather,
} from './vocabulary.ts';
import { countOf, singular, words } from './words.ts';

const determiners = wordSet('a an the this that these those my your his her our their its another every each');
const joints = wordSet(`
  in on at of and or with by under over near beside behind above against among while during from to into that as is are
`);
const adjective = /(ful|ous|ic|ish|ed|ing|al|ient|ant|ive|y|old|new|cute|wild|proud|lone|brave|nice|great|fine)$/;

const bare = String.raw`(?!(?:an?|the|any)(?!\p{L}))[\p{L}-]+`;
const asides = String.raw`(?:(?:any|an?|the|other|single|visible|big|small|old|young|new)\s+){0,4}`;
/** "A dog that is not a puppy" is still a dog. In "without a hat and a dog", the second article starts a wanted thing. */
const negation = new RegExp(
  String.raw`(?<!\p{L})(?:no|without|(?<!(?:that|which|who)\s+(?:is|are|was|were)\s+)not(?=\s+(?:any|an?|the)\s))\s+${asides}(${bare}(?:\s+(?:n?or\s+${asides}|and\s+(?:the\s+)?)${bare})?)`,
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

/** Figures of speech that name things and mean none. */
const figures =
  /\b(?:trains? of thought|food for thought|bear(?:s|ing)? in mind|pieces? of cake|the key to|a needle in a haystack|cold feet|break a leg|white elephant in the room|rain(?:ing)? cats and dogs|hot dog stand-off|a bird['’]s[- ]eye|bull['’]?s[- ]eye|fish[- ]?eye|worm['’]s[- ]eye|cat['’]?s[- ]eye|crane shot|dutch angle|key (?:light(?:ing)?|visual|art)|book cover|egg white|ring light|golden ratio)\b/giu;

function thingNamed(phrase: string): Thing | undefined {
  const name = synonyms.get(phrase) ?? phrase.replaceAll(' ', '-');
  return things.get(name);
}

const longestPhrase = 3;

export function read(text: string): Reading {
  const reader = new Reader(words(translateScripts(text.replaceAll(figures, ' '))));
  return reader.read();
}

class Reader {
  readonly #tokens: readonly string[];
  readonly #scenes = new Set<Scene>();
  readonly #weather = new Set<Weather>();
  readonly #lamps = new Set<Lamp>();
  readonly #moods = new Set<Mood>();
  readonly #hours = new Set<Time>();
  readonly #colours: { name: string; colour: Colour }[] = [];
  readonly #subjects = new Map<string, Subject>();
  #time: Time | null = null;
  /** The count, colour and scale that the words before a thing give it. */
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
    this.#releaseTint();
    return {
      scenes: [...this.#scenes],
      time: this.#time,
      hours: this.#hours,
      weather: this.#weather,
      lamps: this.#lamps,
      moods: this.#moods,
      colours: this.#colours,
      subjects: [...this.#subjects.values()],
    };
  }

  /** Reads the longest phrase that means something, and returns its end. */
  #phraseAt(at: number): number | null {
    for (let end = Math.min(at + longestPhrase, this.#tokens.length); end > at; end--) {
      const phrase = this.#tokens.slice(at, end).join(' ');
      const single = [...this.#tokens.slice(at, end - 1), singular(this.#tokens[end - 1] ?? '')].join(' ');
      const colour = end === at + 1 ? colourWords.get(phrase) : undefined;
      const thing = this.#thingAt(at, end, phrase, single);
      if (thing) this.#addSubject(thing, at, phrase !== single && !single.endsWith('s'));
      const named = this.#addSurroundings(phrase, end > at + 1 ? single : phrase);
      if (colour && !thing) this.#holdTint(phrase, colour, at);
      if (thing ?? (named || colour)) return end;
    }
    return null;
  }

  /** A shy word is a thing only after a word that announces one; a colour, only where no noun follows. */
  #thingAt(at: number, end: number, phrase: string, single: string): Thing | null {
    const plural = phrase !== single;
    if (plural && sceneWords.has(phrase)) return null;
    const before = this.#tokens[at - 1] ?? '';
    const after = this.#tokens[end];
    const determined = determiners.has(before) || countOf(before) !== null || sizeWords.has(before);
    if (end === at + 1 && colourWords.has(phrase) && !plural) {
      const closed = after === undefined || joints.has(after);
      if (!closed || before === 'the' || !(determined || this.#tint)) return null;
    }
    const described = adjective.test(before) && !joints.has(before);
    if (!plural && !determined && !this.#tint && shy.has(single) && !described) return null;
    return thingNamed(phrase) ?? thingNamed(single) ?? null;
  }

  #addSubject(thing: Thing, at: number, isPlural: boolean): void {
    const near = this.#tint && at - this.#tint.at <= 2 ? this.#tint.colour : null;
    if (near) this.#tint = null;
    if (!this.#subjects.has(thing.name)) {
      const count = this.#count ?? (isPlural ? 3 : 1);
      this.#subjects.set(thing.name, { thing, count, tint: near, scale: this.#scale });
    }
    this.#count = null;
    this.#scale = 1;
  }

  /** Returns whether the phrase names a scene, a time, weather, a lamp or a mood. */
  #addSurroundings(phrase: string, single: string): boolean {
    const scene = sceneWords.get(phrase) ?? sceneWords.get(single);
    const time = timeWords.get(phrase);
    const weather = weatherWords.get(phrase);
    const lamp = lampWords.get(phrase);
    const mood = moodWords.get(phrase);
    if (scene) this.#scenes.add(scene);
    if (time) {
      const prevails = time === 'aurora' || time === 'neon' || time === 'storm';
      if (!this.#time || prevails || (this.#time === 'night' && time !== 'day')) this.#time = time;
      if (!lamp || hourWords.has(phrase)) this.#hours.add(time);
    }
    if (weather) this.#weather.add(weather);
    if (weather && /storm|thunder|tempest/.test(phrase)) this.#weather.add('rain').add('lightning').add('clouds');
    if (lamp) this.#lamps.add(lamp);
    if (mood) this.#moods.add(mood);
    return Boolean(scene ?? time ?? weather ?? lamp ?? mood);
  }

  #quantity(word: string): void {
    const count = countOf(word);
    const scale = sizeWords.get(word);
    if (count !== null) this.#count = count;
    else if (scale !== undefined) this.#scale = scale;
    else if (joints.has(word) && word !== 'of') this.#count = null;
  }

  /** A colour belongs to the thing after it, or else to the picture. */
  #holdTint(name: string, colour: Colour, at: number): void {
    this.#releaseTint();
    this.#tint = { name, colour, at };
  }

  #releaseTint(): void {
    if (this.#tint) this.#colours.push({ name: this.#tint.name, colour: this.#tint.colour });
    this.#tint = null;
  }
}
