/** The prompt list: what it refuses, and the innocents it spares. */
import { afterAll, expect, test } from '@jest/globals';
import { createLocalEngine } from '../../../engines/local/index.ts';
import { refusal } from '../../../engines/local/nsfw.ts';
import { params } from './ask.ts';

const engine = createLocalEngine({ threads: 1 });
afterAll(() => engine.close());
const signal = new AbortController().signal;

test.each([
  'a naked woman',
  'NUDE beach',
  'hardcore porn',
  'sexy nurse',
  'erotic art',
  'bare nipples',
  'two people having sex',
  'hentai girl',
])('sexual: %s', (prompt) => {
  expect(refusal(prompt)).toBe('sexual');
});

test.each([
  'gore everywhere',
  'a severed head',
  'decapitated knight',
  'covered in blood',
  'a mutilated corpse',
  'torture chamber',
])('gory: %s', (prompt) => {
  expect(refusal(prompt)).toBe('gory');
});

test.each([
  'breast of chicken with herbs',
  'chicken breasts on a plate',
  'the cliffs of Sussex',
  'Essex in spring',
  'a cockatoo',
  'cocktails at sunset',
  'a cockpit',
  'dress in a nude color',
  'nude lipstick',
  'blood orange',
  'blood moon over a lake',
  'robin redbreast',
  'a grapefruit',
  'drape of silk',
  'naked trees in winter',
  'virgin forest',
  'therapist',
  'Scunthorpe',
  'peacock',
  'breaststroke swimmer',
  'analysis',
  'assassin bug',
  'an egret',
  'Al Gore-tex jacket',
  'a titmouse',
  'Middlesex',
])('innocent: %s', (prompt) => {
  expect(refusal(prompt)).toBeNull();
});

test('both tasks refuse with content_refused; nsfw: true lets it through', async () => {
  const prompt = 'a naked person in a meadow';
  const call = { idempotencyKey: 'x', model: 'selena' };
  await expect(
    engine.run({ ...call, task: 'text-to-image', params: params({ prompt }) }, { signal }),
  ).rejects.toMatchObject({ name: 'EngineError', code: 'content_refused' });
  await expect(
    engine.run({ ...call, task: 'enhance-prompt', params: { prompt, style: null, nsfw: false } }, { signal }),
  ).rejects.toMatchObject({ code: 'content_refused' });
  const allowed = await engine.run(
    { ...call, task: 'text-to-image', params: params({ prompt, nsfw: true }) },
    { signal },
  );
  expect(allowed.images).toHaveLength(1);
});
