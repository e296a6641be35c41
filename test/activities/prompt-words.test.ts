/** The list of blocked words: prompts that it refuses, and harmless prompts that it accepts. */
import { expect, test } from '@jest/globals';
import { checkPrompt } from '../../activities/content-checks.ts';
import { findBlockedContent } from '../../activities/prompt-words.ts';
import type { EngineCall } from '../../engines/contract/index.ts';

test.each([
  'a naked woman',
  'NUDE beach',
  'hardcore porn',
  'sexy nurse',
  'erotic art',
  'bare nipples',
  'two people having sex',
  'hentai girl',
])('refuses as sexual: %s', (prompt) => {
  expect(findBlockedContent(prompt)).toBe('sexual');
});

test.each([
  'gore everywhere',
  'a severed head',
  'decapitated knight',
  'covered in blood',
  'a mutilated corpse',
  'torture chamber',
])('refuses as gory: %s', (prompt) => {
  expect(findBlockedContent(prompt)).toBe('gory');
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
])('accepts: %s', (prompt) => {
  expect(findBlockedContent(prompt)).toBeNull();
});

test.each([
  { task: 'text-to-image', params: { prompt: 'a naked person in a meadow' } },
  { task: 'enhance-prompt', params: { prompt: 'a naked person in a meadow' } },
  { task: 'vary-image', params: { prompt: 'a naked person in a meadow' } },
  { task: 'edit-image', params: { instruction: 'make the person naked' } },
  { task: 'segment', params: { prompt: 'genitals' } },
])('refuses the text of $task with content_refused, unless nsfw is true', ({ task, params }) => {
  const call = (nsfw: boolean) => ({ task, params: { ...params, nsfw } }) as unknown as EngineCall;
  expect(() => checkPrompt(call(false))).toThrow(expect.objectContaining({ code: 'content_refused' }));
  expect(() => checkPrompt(call(true))).not.toThrow();
});
