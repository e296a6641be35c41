/** Every purpose of the rules ends soon, even with texts that could keep a pattern busy. */
import { expect, test } from '@jest/globals';
import { resolveBrief } from '../sketch/read/resolve.ts';
import { type Purpose, type Purposes, styleOptions } from '../../contract/index.ts';
import { write } from './rules-writing.ts';

const longest = 4000;
const brief = 'A lamp with a shade, visit ';
const units = [
  'at us ',
  ' at',
  ' ',
  '\t\n',
  '.',
  ', ',
  '!',
  ':',
  '"',
  '“',
  '(',
  'a',
  'A-',
  'A ',
  '富',
  '1.',
  '1 short ',
  'a@',
  'a.',
  'www.',
  'http://',
  'for ',
  'that is ',
  'and ',
  'if ',
  ' by ',
  'no a ',
  'not a ',
  'not but ',
  'do not ',
  'without any ',
  'no longer than ',
  'expand ',
  '. one',
  'translat',
  '🎉',
];
const texts = units.flatMap((unit) => {
  const most = Math.floor((longest - brief.length - 1) / unit.length);
  return [unit.repeat(most) + 'x', `${brief}${unit.repeat(most)}`];
});

const calls: Record<string, (text: string) => unknown> = {
  rewrite: (text) => written('rewrite', { text, instructions: 'formal' }),
  copy: (text) => written('copy', { text, instructions: null }),
  summarize: (text) => written('summarize', { text, instructions: 'in 50 words' }),
  'the instructions': (instructions) => written('rewrite', { text: 'A cat sleeps on the mat.', instructions }),
  translate: (text) => written('translate', { text, instructions: null }),
  freeform: (text) => written('freeform', { text, instructions: null }),
  'enhance-prompt': (prompt) => written('enhance-prompt', { prompt, style: 'oil' }),
  'refine-prompt': (prompt) => written('refine-prompt', { prompt, style: { summary: 'Warm.', keywords: ['warm'] } }),
  'style-options': (prompt) => write('style-options', { prompt, count: 8 }, { format: { schema: styleOptions(8) } }),
  'describe-style': (prompt) => written('describe-style', { measured: '', prompt }),
  'a prompt of a picture': (prompt) => resolveBrief(prompt, null, 1),
  'its negative prompt': (prompt) => resolveBrief('a fox', prompt, 1),
};

/** Accepts an `EngineError`; anything else that is thrown is a bug. */
function written<P extends Purpose>(purpose: P, facts: Purposes[P]): void {
  try {
    write(purpose, facts);
  } catch (error) {
    if ((error as Error).name !== 'EngineError') throw error;
  }
}

test.each(Object.keys(calls))('%s ends within two seconds for each text', (name) => {
  for (const text of texts) {
    const start = performance.now();
    calls[name]?.(text);
    expect({ text: text.slice(0, 40), slow: performance.now() - start > 2000 }).toEqual({
      text: text.slice(0, 40),
      slow: false,
    });
  }
});
