/** Reads a prompt. Longer phrases win, and no word counts as two things. */
import { phraseTable, wordSet } from '../../language/phrases.ts';
import type { Colour } from '../colour.ts';
import type { Reading, Subject } from './brief.ts';
import { colourWords } from './colours.ts';
import {
  hourWords,
  lampWords,
  moodWords,
  timeWords,
  weatherWords,
  type Lamp,
  type Mood,
  type Time,
  type Weather,
} from './light.ts';
import { sceneWords, type Scene } from './scenes.ts';
import { translateScripts } from './scripts.ts';
import { shy, synonyms } from './synonyms.ts';
import { things, type Thing } from './things.ts';
import { countOf, singular, words } from './words.ts';

const determiners = wordSet('a an the this that these those my your his her our their its another every each');
const joints = wordSet(`
  in on at of and or with by under over near beside behind above against among while during from to into that as is are
`);
const sizes: ReadonlyMap<string, number> = new Map(
  phraseTable(`
    0.6: tiny, miniature, mini
    0.7: baby
    0.75: little, small
    0.85: young
    1.15: tall
    1.2: big, large
    1.4: huge, massive, towering
    1.5: giant, enormous, gigantic, colossal
  `).map(([word, size]) => [word, Number(size)]),
);
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

export function read(text: string): Reading {
  const tokens = words(translateScripts(text.replaceAll(figures, ' ')));
  const scenes: Scene[] = [];
  const weather = new Set<Weather>();
  const lamps = new Set<Lamp>();
  const moods = new Set<Mood>();
  const colours: { name: string; colour: Colour }[] = [];
  const subjects = new Map<string, Subject>();
  const hours = new Set<Time>();
  let time: Time | null = null;
  let count: number | null = null;
  let tint: { name: string; colour: Colour; at: number } | null = null;
  let scale = 1;

  const keepTint = (): void => {
    if (tint) colours.push({ name: tint.name, colour: tint.colour });
    tint = null;
  };

  for (let i = 0; i < tokens.length;) {
    let taken = 0;
    for (let length = Math.min(3, tokens.length - i); length >= 1 && taken === 0; length--) {
      const raw = tokens.slice(i, i + length);
      const phrase = raw.join(' ');
      const last = raw[length - 1] ?? '';
      const single = [...raw.slice(0, -1), singular(last)].join(' ');
      const plural = single !== phrase;
      const before = tokens[i - 1] ?? '';
      const after = tokens[i + length];
      const determined = determiners.has(before) || countOf(before) !== null || sizes.has(before);

      const colour = length === 1 ? colourWords.get(phrase) : undefined;
      const closed = after === undefined || joints.has(after);
      const asThing = colour ? plural || (closed && (determined || tint !== null) && before !== 'the') : true;
      const bold =
        plural || determined || tint !== null || !shy.has(single) || (adjective.test(before) && !joints.has(before));
      const thing =
        asThing && bold && !(plural && sceneWords.has(phrase)) ? (thingNamed(phrase) ?? thingNamed(single)) : undefined;

      const scene = sceneWords.get(phrase) ?? (length > 1 ? sceneWords.get(single) : undefined);
      const atTime = timeWords.get(phrase);
      const inWeather = weatherWords.get(phrase);
      const lamp = lampWords.get(phrase);
      const mood = moodWords.get(phrase);

      if (thing) {
        const seen = subjects.get(thing.name);
        const near: Colour | null =
          tint && i - (tint as { at: number }).at <= 2 ? (tint as { colour: Colour }).colour : null;
        if (near) tint = null;
        const many = count ?? (plural && !/s$/.test(single) ? 3 : 1);
        if (!seen) subjects.set(thing.name, { thing, count: many, tint: near, scale });
        count = null;
        scale = 1;
      }
      if (scene && !scenes.includes(scene)) scenes.push(scene);
      if (atTime && (!time || ['aurora', 'neon', 'storm'].includes(atTime) || (time === 'night' && atTime !== 'day')))
        time = atTime;
      if (atTime && (!lamp || hourWords.has(phrase))) hours.add(atTime);
      if (inWeather) weather.add(inWeather);
      if (/storm|thunder|tempest/.test(phrase) && inWeather) weather.add('rain').add('lightning').add('clouds');
      if (lamp) lamps.add(lamp);
      if (mood) moods.add(mood);
      if (thing || scene || atTime || inWeather || lamp || mood) taken = length;
      if (colour && !thing) {
        keepTint();
        tint = { name: phrase, colour, at: i };
        taken = length;
      }
    }
    const word = tokens[i] ?? '';
    if (taken === 0) {
      const number = countOf(word);
      if (number !== null) count = number;
      else if (sizes.has(word)) scale = sizes.get(word) ?? 1;
      else if (joints.has(word) && word !== 'of') count = null;
    }
    i += Math.max(1, taken);
  }
  keepTint();
  return { scenes, time, hours, weather, lamps, moods, colours, subjects: [...subjects.values()] };
}
