/** Cleans a model's output for its purpose: removes labels and reasoning, and keeps the client's subject in prompts. */
import { longestPrompt } from '../../schemas/fields.ts';
import type { Writing } from '../../schemas/writing.ts';
import { EngineError } from '../contract/index.ts';

/** Reasoning comes first. A model that ran out of tokens may have written nothing else. */
const thoughts = /^\s*<think>[\s\S]*?(?:<\/think>|$)/u;

export const withoutThoughts = (answer: string): string => answer.replace(thoughts, '').trim();

/** @param answer output without reasoning @param isCut whether the model ran out of tokens */
export function tidy(answer: string, writing: Writing, isCut: boolean): string {
  // The request may be for code, which belongs in a fence.
  if (writing.purpose === 'freeform') return answer;
  const text = unwrap(answer);
  if (text === '') return text;
  if (writing.purpose !== 'enhance-prompt' && writing.purpose !== 'refine-prompt') return text;
  // An enhanced prompt keeps everything; a refined one may leave out empty words.
  const least = writing.purpose === 'enhance-prompt' ? 1 / 2 : 1 / 3;
  return tidyPrompt(text, oneLine(writing.facts.prompt), least, isCut);
}

/** Returns the prompt, with the subject in front when the prompt no longer names it. */
export function withSubject(prompt: string, asked: string): string {
  const subject = oneLine(asked);
  return keeps(prompt, subject, 1 / 2) ? prompt : bounded(`${subject}, ${prompt}`);
}

/** Removes tags and fences that a model repeats from its input, and the next question that small models add. */
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

/** Removes repeated phrases, which small models produce. @param isCut whether to drop the last, incomplete phrase */
function eachOnce(prompt: string, isCut: boolean): string {
  const phrases = prompt.split(/(?<=[,;.!?])\s/u);
  const seen = new Set<string>();
  const kept = (isCut && phrases.length > 1 ? phrases.slice(0, -1) : phrases).filter((phrase) => {
    const key = phrase.toLowerCase().replace(/[,;.!?]+$/u, '');
    // A single word may be repeated on purpose.
    return !key.includes(' ') || (!seen.has(key) && seen.add(key));
  });
  return kept.join(' ').replace(/[,;]$/u, '');
}

/** Words that do not describe a subject. Such words of other languages only make the share less exact. */
const small = /^(?:the|and|for|with|from|into|onto|over|under|near|its|his|her|has|are|was|that|this|some|very)$/u;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Returns whether a prompt contains at least this share of the requested words, ignoring their endings. */
function keeps(prompt: string, asked: string, least: number): boolean {
  const answered = prompt.toLowerCase();
  const words = [...segmenter.segment(asked.toLowerCase())]
    .filter(({ segment, isWordLike }) => isWordLike && !small.test(segment))
    .filter(({ segment }) => segment.length > 2 || /[^\p{Script=Latin}\d]/u.test(segment))
    .map(({ segment }) => segment.slice(0, Math.max(3, segment.length - 2)));
  if (words.length === 0) return answered.includes(asked.toLowerCase());
  return words.filter((word) => answered.includes(word)).length >= words.length * least;
}

/** @throws EngineError when the prompt is longer than a client's prompt may be, because we cannot shorten it safely */
function bounded(prompt: string): string {
  const { length } = [...prompt];
  if (length <= longestPrompt) return prompt;
  throw new EngineError('provider_rejected', `The language model wrote a prompt of ${length} characters`);
}
