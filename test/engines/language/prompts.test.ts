/** Prompts from a model: plain, without repetition, within limits, and about the request of the client. */
import { expect, test } from '@jest/globals';
import { writing } from '../../../schemas/writing.ts';
import { completion } from '../../upstreams/openai-chat.ts';
import { bench, failure, written } from './engine.ts';

const at = bench();

async function enhanced(prompt: string, content: string, finishReason = 'stop'): Promise<string> {
  at.server.reply(completion(content, { finishReason }));
  return (await written(at.engine, writing('enhance-prompt', { prompt, style: null }))).text;
}

test.each([
  ['"a heron in the reeds, soft light"'],
  ['Prompt: a heron in the reeds, soft light'],
  ["Here's the enhanced prompt: “a heron in the reeds, soft light”"],
  ['<prompt>\na heron in the reeds,\nsoft light\n</prompt>'],
  ['```\na heron in the reeds, soft light\n```'],
  ['<think>A bird?</think>a heron in the reeds, soft light'],
])('reads %j as a plain prompt', async (content) => {
  expect(await enhanced('a heron', content)).toBe('a heron in the reeds, soft light');
});

test.each(['""', 'Prompt:', '<prompt>\n</prompt>'])('rejects the empty output %j', async (content) => {
  at.server.reply(completion(content));
  const params = writing('enhance-prompt', { prompt: 'a heron', style: null });
  expect(await failure(at.engine, params)).toMatchObject({ code: 'provider_rejected' });
});

test('keeps quotation marks within a prompt', async () => {
  const said = '"OPEN" on a sign, a shop at night, "CLOSED" on its door';
  expect(await enhanced('a shop with a sign', said)).toBe(said);
});

test.each([
  ['two herons fishing at dawn', 'two herons fishing at first light, at dawn, mist over the pond', true],
  ['two herons fishing at dawn', 'a mountain under stars', false],
  ['ein alter Leuchtturm', 'alter Leuchtturm im Nebel, kühles Licht', true],
  ['ein alter Leuchtturm', 'an old lighthouse in the fog', false],
  ['猫と月', '窓辺の猫と満月、静かな夜', true],
  ['猫と月', 'a dog in the rain', false],
  ['a cat', 'a cat on a sofa', true],
  ['a cat', 'a dog on a sofa', false],
  ['a red fox', 'a fox with red fur in deep snow', true],
  ['the dog with the bone', 'the cat with the ball of wool, over the fence', false],
])('prompt %j, output %j: the output is used unchanged is %j', async (prompt, said, isKept) => {
  expect(await enhanced(prompt, said)).toBe(isKept ? said : `${prompt}, ${said}`);
});

test('removes repeated phrases', async () => {
  const circle = 'a heron in the reeds, soft light, a red boat, soft light, a red boat, soft light, a red bo';
  expect(await enhanced('a heron', circle, 'length')).toBe('a heron in the reeds, soft light, a red boat');
});

test.each([
  ['an output longer than the limit of a prompt', 'a heron', 'herøn '.repeat(700)],
  ['an output that exceeds the limit together with the prompt', 'herøn '.repeat(600).trim(), 'a boat on '.repeat(60)],
])('rejects %s', async (_, prompt, content) => {
  at.server.reply(completion(content));
  const params = writing('enhance-prompt', { prompt, style: null });
  expect(await failure(at.engine, params)).toMatchObject({ code: 'provider_rejected' });
});

test('accepts a refined prompt without filler words, but not without its subject', async () => {
  const refine = async (content: string) => {
    at.server.reply(completion(content));
    const facts = { prompt: 'very very cool castle, mountains, sunset maybe, 8k', style: null };
    return (await written(at.engine, writing('refine-prompt', facts))).text;
  };
  const good = 'a castle in the mountains at sunset, warm low light';
  expect(await refine(good)).toBe(good);
  expect(await refine('a red car')).toBe('very very cool castle, mountains, sunset maybe, 8k, a red car');
});
