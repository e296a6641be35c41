/** The nouns that a request can use. */
import { objectClasses } from '../vision/classes.ts';

/** The meaning of a noun: objects of detector classes, or a part that another method finds. */
export type Meaning =
  { kind: 'objects'; labels: readonly string[] } | { kind: 'face' | 'head' | 'subject' | 'background' };

const groups: Record<string, readonly string[]> = {
  animal: ['bird', 'cat', 'dog', 'horse', 'sheep', 'cow', 'elephant', 'bear', 'zebra', 'giraffe'],
  vehicle: ['bicycle', 'car', 'motorcycle', 'airplane', 'bus', 'train', 'truck', 'boat'],
  fruit: ['banana', 'apple', 'orange'],
  food: ['banana', 'apple', 'sandwich', 'orange', 'broccoli', 'carrot', 'hot dog', 'pizza', 'donut', 'cake'],
  furniture: ['chair', 'couch', 'bed', 'dining table', 'bench'],
};

/** Other words for the detector's classes. */
const synonyms = `
  person: people, human, man, men, woman, women, boy, girl, child, children, kid, baby, lady, guy, adult, astronaut, pedestrian, body
  bicycle: bike, cycle
  car: automobile, taxi, cab
  motorcycle: motorbike, scooter, moped
  airplane: aeroplane, plane, aircraft, jet
  bus: coach
  train: locomotive, tram
  truck: lorry, van, pickup
  boat: ship, sailboat, yacht, canoe
  traffic light: stoplight
  fire hydrant: hydrant
  cat: kitten, kitty
  dog: puppy, hound, doggy
  horse: pony, foal
  sheep: lamb
  cow: cattle, bull, calf
  bear: polar bear
  backpack: rucksack, knapsack
  handbag: purse, bag
  tie: necktie
  suitcase: luggage
  sports ball: ball, football, basketball, soccer ball, tennis ball
  skis: ski
  wine glass: glass, goblet
  cup: mug, teacup, coffee cup
  donut: doughnut
  couch: sofa, settee
  potted plant: plant, houseplant
  dining table: table, desk
  tv: television, monitor, screen, tv monitor
  laptop: notebook, computer
  mouse: computer mouse
  remote: remote control
  cell phone: phone, smartphone, mobile phone, mobile, cellphone, telephone
  refrigerator: fridge
  teddy bear: teddy
  hair drier: hair dryer, hairdryer
`;

const meanings = new Map<string, Meaning>();
for (const label of objectClasses) meanings.set(label, { kind: 'objects', labels: [label] });
for (const line of synonyms.trim().split('\n')) {
  const [label = '', words = ''] = line.trim().split(': ');
  for (const word of words.split(', ')) meanings.set(word, { kind: 'objects', labels: [label] });
}
for (const [word, labels] of Object.entries(groups)) meanings.set(word, { kind: 'objects', labels });
for (const word of ['face', 'head'] as const) meanings.set(word, { kind: word });
for (const word of ['subject', 'foreground', 'main subject', 'main object', 'object'])
  meanings.set(word, { kind: 'subject' });
for (const word of ['background', 'backdrop']) meanings.set(word, { kind: 'background' });

/** The nouns that error messages list. */
export const nouns: readonly string[] = [
  'subject',
  'background',
  'face',
  'head',
  ...Object.keys(groups),
  ...objectClasses,
];

export interface Understood {
  meaning: Meaning;
  /** The noun of the request, without its article. */
  words: string;
  plural: boolean;
}

/** Returns null for an unknown noun. */
export function understood(noun: string): Understood | null {
  const words = noun
    .toLowerCase()
    .replace(/[^\p{L}\s-]/gu, ' ')
    .replace(/[\s-]+/g, ' ')
    .trim()
    .replace(/^(?:(?:all|both|each|every|of|the|a|an|my|his|her|their|our|your|this|that|these|those) )+/, '');
  for (const singular of singulars(words)) {
    const meaning = meanings.get(singular);
    if (meaning) return { meaning, words, plural: singular !== words || irregular.has(words) };
  }
  return null;
}

export function knownNoun(noun: string): boolean {
  return understood(noun) !== null;
}

const irregular = new Set(['people', 'men', 'women', 'children', 'cattle', 'skis', 'scissors']);

function singulars(words: string): string[] {
  return [
    words,
    words.replace(/s$/, ''),
    words.replace(/es$/, ''),
    words.replace(/ies$/, 'y'),
    words.replace(/\bknives$/, 'knife'),
    words.replace(/\bcalves$/, 'calf'),
    words.replace(/\bmice$/, 'mouse'),
  ];
}
