/** Makes a model's answer what a purpose promises: no labels, no thoughts, and prompts that keep the client's subject. */
import { longestPrompt } from '../../schemas/fields.ts';
import type { Writing } from '../../schemas/writing.ts';
import { EngineError } from '../contract/index.ts';

/** Models that think aloud do it first; one that ran out of tokens never gets to its answer. */
const thoughts = /^\s*<think>[\s\S]*?(?:<\/think>|$)/u;

export const withoutThoughts = (answer: string): string => answer.replace(thoughts, '').trim();

/** @param answer without thoughts @param isCut whether the model was stopped in the middle of it */
export function tidy(answer: string, writing: Writing, isCut: boolean): string {
  // A request may be for code, which stands in a fence for good.
  if (writing.purpose === 'freeform') return answer;
  const text = unwrap(answer);
  if (text === '') return text;
  if (writing.purpose !== 'enhance-prompt' && writing.purpose !== 'refine-prompt') return text;
  // Who enhances keeps what was asked; who refines may strike what says nothing.
  const least = writing.purpose === 'enhance-prompt' ? 1 / 2 : 1 / 3;
  return tidyPrompt(text, oneLine(writing.facts.prompt), least, isCut);
}

/** A prompt of a style that still names its subject: what has lost it gets it back in front. */
export function withSubject(prompt: string, asked: string): string {
  const subject = oneLine(asked);
  return keeps(prompt, subject, 1 / 2) ? prompt : bounded(`${subject}, ${prompt}`);
}

/** Models like to give back the tags and fences that they have seen; small ones go on with the next question. */
function unwrap(whole: string): string {
  const answer = /^([^<]+?)<\/(?:text|prompt)[-\w]*>/u.exec(whole)?.[1]?.trim() ?? whole;
  const inTags = /^<((?:text|prompt)[-\w]*)>([\s\S]*)<\/\1>$/u.exec(answer)?.[2];
  const inFence = /^```[a-z]*\n([\s\S]*)\n```$/u.exec(inTags ?? answer)?.[1];
  return (inFence ?? inTags ?? answer).trim();
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ');

const label = /^(?:(?:here(?:'s| is) )?(?:the |a |your )?(?:fuller |clearer |enhanced |refined )?prompt):\s*/iu;
const quoted = /^(?:"([^"]*)"|“([^”]*)”|„([^“]*)“|«([^»]*)»)$/u;

function tidyPrompt(answer: string, asked: string, least: number, isCut: boolean): string {
  const plain = bounded(oneLine(answer).replace(label, ''));
  const [, ...inside] = quoted.exec(plain) ?? [];
  const prompt = eachOnce(inside.find((text) => text !== undefined) ?? plain, isCut);
  if (prompt === '') return '';
  return keeps(prompt, asked, least) ? prompt : bounded(`${asked}, ${prompt}`);
}

/** Small models come to walk in circles. @param isCut drops the last phrase, of which nobody knows the end */
function eachOnce(prompt: string, isCut: boolean): string {
  const phrases = prompt.split(/(?<=[,;.!?])\s/u);
  const seen = new Set<string>();
  const kept = (isCut && phrases.length > 1 ? phrases.slice(0, -1) : phrases).filter((phrase) => {
    const key = phrase.toLowerCase().replace(/[,;.!?]+$/u, '');
    // A word alone may be said twice on purpose.
    return !key.includes(' ') || (!seen.has(key) && seen.add(key));
  });
  return kept.join(' ').replace(/[,;]$/u, '');
}

/** Say nothing of a subject. Words of other languages that slip through only make the share a little coarser. */
const small = /^(?:the|and|for|with|from|into|onto|over|under|near|its|his|her|has|are|was|that|this|some|very)$/u;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Whether a prompt still speaks of what was asked for: at least of this share of its words, whatever their endings. */
function keeps(prompt: string, asked: string, least: number): boolean {
  const answered = prompt.toLowerCase();
  const words = [...segmenter.segment(asked.toLowerCase())]
    .filter(({ segment, isWordLike }) => isWordLike && !small.test(segment))
    .filter(({ segment }) => segment.length > 2 || /[^\p{Script=Latin}\d]/u.test(segment))
    .map(({ segment }) => segment.slice(0, Math.max(3, segment.length - 2)));
  if (words.length === 0) return answered.includes(asked.toLowerCase());
  return words.filter((word) => answered.includes(word)).length >= words.length * least;
}

/** @throws EngineError when it is longer than a client's own may be: what to leave out is not ours to say */
function bounded(prompt: string): string {
  const { length } = [...prompt];
  if (length <= longestPrompt) return prompt;
  throw new EngineError('provider_rejected', `The language model wrote a prompt of ${length} characters`);
}
