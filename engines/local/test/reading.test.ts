/** Prompts are read as briefs: known words exactly; unknown words draw nothing wrong. */
import { expect, test } from '@jest/globals';
import { read } from '../sketch/read/read.ts';
import { resolveBrief } from '../sketch/read/resolve.ts';
import { synonyms, things } from '../sketch/read/vocabulary.ts';
import { drawingOf } from '../sketch/subjects/drawings.ts';

const names = (prompt: string): string[] =>
  read(prompt).subjects.map((s) => (s.count > 1 ? `${s.count} ${s.thing.name}` : s.thing.name));

test('every thing has a drawing and every synonym leads to a thing', () => {
  expect([...things.keys()].filter((name) => drawingOf(name) === null)).toEqual([]);
  expect([...synonyms.values()].filter((name) => !things.has(name))).toEqual([]);
});

test.each<[string, string[]]>([
  ['a red fox in a snowy forest at dawn', ['fox']],
  ['three cats and a dog', ['3 cat', 'dog']],
  ['two sailboats on the sea', ['2 sailboat']],
  ['2 hot air balloons', ['2 hot-air-balloon']],
  ['a flock of birds', ['7 bird']],
  ['wolves', ['3 wolf']],
  ['bowl of fruit on a table', ['fruit-bowl']],
  ['an orange on a table', ['tangerine']],
  ['orange sunset over dunes', []],
  ['a black cat', ['black-cat']],
  ['polar bear on ice', ['polar-bear']],
  ['bear in mind the schedule', []],
  ['I watch the train of thought', []],
  ['a dozen eggs', ['9 egg']],
  ['lighthouse in a storm', ['lighthouse']],
  ['黒い猫', ['cat']],
])('%s → %j', (prompt, expected) => {
  expect(names(prompt)).toEqual(expected);
});

test.each([
  'quarterly synergies of epistemology',
  'flag of france',
  'the letter a',
  'five oclock',
  'ok hand',
  'medium skin tone',
  'catalogue',
  'carpet',
  'foxglove',
  'seashanty',
  'aries',
  'middle finger',
  'зкщъ',
  '🜲🜳',
  '...',
])('%s draws no thing', (prompt) => {
  expect(names(prompt)).toEqual([]);
  const brief = resolveBrief(prompt, null, 1);
  expect(brief.subjects).toEqual([]);
  expect(brief.scenes.length).toBeGreaterThan(0);
});

test('reads scene, time, weather, lamps and mood', () => {
  const r = read('moonlit city skyline by the sea in the rain, pastel');
  expect(r.scenes).toEqual(['city', 'sea']);
  expect(r.time).toBe('night');
  expect([...r.weather]).toEqual(['rain']);
  expect([...r.lamps]).toEqual(['moon']);
  expect([...r.moods]).toEqual(['pastel']);
  expect(read('黄昏の富士山')).toMatchObject({ scenes: ['fuji'], time: 'dusk' });
  expect(read('northern lights over a frozen lake')).toMatchObject({ time: 'aurora', scenes: ['winter', 'lake'] });
});

test('gives a colour to the thing after it, and any other colour to the picture', () => {
  const own = read('a blue horse in a field');
  expect(own.subjects[0]?.tint).not.toBeNull();
  expect(own.colours).toEqual([]);
  const whole = read('a horse, teal and crimson');
  expect(whole.subjects[0]?.tint).toBeNull();
  expect(whole.colours.map((c) => c.name)).toEqual(['teal', 'crimson']);
});

test('removes what the negative prompt names', () => {
  const all = resolveBrief('a fox and an owl in a foggy forest, teal, moonlit', null, 3);
  const less = resolveBrief('a fox and an owl in a foggy forest, teal, moonlit', 'owls, fog, teal, moon', 3);
  expect(all.subjects.map((s) => s.thing.name)).toEqual(['fox', 'owl']);
  expect(less.subjects.map((s) => s.thing.name)).toEqual(['fox']);
  expect(less.weather.has('fog')).toBe(false);
  expect(less.lamps.has('moon')).toBe(false);
  expect(less.palette).toBeNull();
  expect(resolveBrief('a beach without people', null, 1).subjects).toEqual([]);
  expect(resolveBrief('a woman and a dog', 'people', 1).subjects.map((s) => s.thing.name)).toEqual(['dog']);
  for (let seed = 0; seed < 20; seed++)
    expect(resolveBrief('epistemology', 'sea, lake, night', seed)).not.toMatchObject({ time: 'night' });
});

test.each<[prompt: string, negativePrompt: string | null, time: string, lamps: string[]]>([
  ['a city at night', 'stars, moon', 'night', []],
  ['a cat at night with no moon', null, 'night', []],
  ['a lake at night without the moon', null, 'night', []],
  ['a moonlit lake', 'moon', 'night', []],
  ['a field at sunset', 'sun', 'sunset', []],
])('"%s" without %s keeps its time of day', (prompt, negativePrompt, time, lamps) => {
  for (let seed = 0; seed < 10; seed++) {
    const brief = resolveBrief(prompt, negativePrompt, seed);
    expect([brief.time, [...brief.lamps]]).toEqual([time, lamps]);
  }
  expect(resolveBrief('a city at night', 'stars', 1).unlit).toEqual(new Set(['stars']));
});

test.each([
  ['a city at night', 'night'],
  ['a city at night', 'sunset, night'],
  ['a field at sunset', 'sunset'],
])('removes the time of "%s" for the negative prompt "%s"', (prompt, negativePrompt) => {
  const { time } = resolveBrief(prompt, null, 1);
  for (let seed = 0; seed < 10; seed++) expect(resolveBrief(prompt, negativePrompt, seed).time).not.toBe(time);
});

test.each<[prompt: string, subjects: string[]]>([
  ['a man without a hat', ['man']],
  ['a man without the hat', ['man']],
  ['not a dog but a cat', ['cat']],
  ['a dog, not a cat', ['dog']],
  ['not only a dog but also a cat', ['dog', 'cat']],
  ['a dog that is not a puppy', ['dog']],
  ['a lake without an old boat', []],
  ['a house without the tree and the car', ['house']],
  ['a house without a tree or a car', ['house']],
  ['a man without a hat and a dog', ['man', 'dog']],
  ['a fox with no dogs and cats', ['fox']],
])('%s shows %j', (prompt, subjects) => {
  expect(resolveBrief(prompt, null, 1).subjects.map((s) => s.thing.name)).toEqual(subjects);
});

test('makes the same open choices for the same words, whatever the seed', () => {
  const scenes = new Set(
    Array.from({ length: 8 }, (_, seed) => resolveBrief('quarterly synergies', null, seed).scenes.join()),
  );
  expect(scenes.size).toBe(1);
});
