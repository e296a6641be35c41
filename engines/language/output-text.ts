/** Cleans a model's output for its purpose: removes labels and reasoning, and keeps the client's subject in prompts. */
import { longestPrompt } from '../../schemas/fields.ts';
import type { Writing } from '../../schemas/writing.ts';
import { EngineError } from '../contract/index.ts';

/** Reasoning comes first. A model that ran out of tokens may have written nothing else. */
const reasoning = /^\s*<think>[\s\S]*?(?:<\/think>|$)/u;

export const withoutReasoning = (output: string): string => output.replace(reasoning, '').trim();

/** @param output without reasoning @param isCut whether the model ran out of tokens */
export function tidy(output: string, writing: Writing, isCut: boolean): string {
  // The request may be for code, which belongs in a fence.
  if (writing.purpose === 'freeform') return output;
  const text = unwrap(output);
  if (text === '') return text;
  if (writing.purpose !== 'enhance-prompt' && writing.purpose !== 'refine-prompt') return text;
  // An enhanced prompt keeps everything; a refined one may leave out empty words.
  const minShare = writing.purpose === 'enhance-prompt' ? 1 / 2 : 1 / 3;
  return tidyPrompt(text, oneLine(writing.facts.prompt), minShare, isCut);
}

/** Returns the prompt, with the subject in front when the prompt no longer names it. */
export function withSubject(prompt: string, original: string): string {
  const subject = oneLine(original);
  return keeps(prompt, subject, 1 / 2) ? prompt : bounded(`${subject}, ${prompt}`);
}

/** Removes tags and fences that a model repeats from its input, and the user message that small models append. */
function unwrap(output: string): string {
  const text = /^([^<]+?)<\/(?:text|prompt)[-\w]*>/u.exec(output)?.[1]?.trim() ?? output;
  const inTags = /^<((?:text|prompt)[-\w]*)>([\s\S]*)<\/\1>$/u.exec(text)?.[2];
  const inFence = /^```[a-z]*\n([\s\S]*)\n```$/u.exec(inTags ?? text)?.[1];
  return (inFence ?? inTags ?? text).trim();
}

const oneLine = (text: string): string => text.trim().replaceAll(/\s+/gu, ' ');

const label = /^(?:(?:here(?:'s| is) )?(?:the |a |your )?(?:fuller |clearer |enhanced |refined )?prompt):\s*/iu;
const quoted = /^(?:"([^"]*)"|“([^”]*)”|„([^“]*)“|«([^»]*)»)$/u;

function tidyPrompt(text: string, original: string, minShare: number, isCut: boolean): string {
  const plain = bounded(oneLine(text).replace(label, ''));
  const [, ...inside] = quoted.exec(plain) ?? [];
  const prompt = withoutRepetition(inside.find((one) => one !== undefined) ?? plain, isCut);
  if (prompt === '') return '';
  return keeps(prompt, original, minShare) ? prompt : bounded(`${original}, ${prompt}`);
}

/** Removes repeated phrases, which small models produce. @param isCut whether to drop the last, incomplete phrase */
function withoutRepetition(prompt: string, isCut: boolean): string {
  const phrases = prompt.split(/(?<=[,;.!?])\s/u);
  const seen = new Set<string>();
  const kept = (isCut && phrases.length > 1 ? phrases.slice(0, -1) : phrases).filter((phrase) => {
    const key = phrase.toLowerCase().replace(/(?<![,;.!?])[,;.!?]+$/u, '');
    // A single word may be repeated on purpose.
    return !key.includes(' ') || (!seen.has(key) && seen.add(key));
  });
  return kept.join(' ').replace(/[,;]$/u, '');
}

/** Words that do not describe a subject. Such words of other languages only make the share less exact. */
const fillers = /^(?:the|and|for|with|from|into|onto|over|under|near|its|his|her|has|are|was|that|this|some|very)$/u;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Returns whether a prompt contains at least this share of the requested words, ignoring their endings. */
function keeps(prompt: string, original: string, minShare: number): boolean {
  const text = prompt.toLowerCase();
  const words = [...segmenter.segment(original.toLowerCase())]
    .filter(({ segment, isWordLike }) => isWordLike && !fillers.test(segment))
    .filter(({ segment }) => segment.length > 2 || /[^\p{Script=Latin}\d]/u.test(segment))
    .map(({ segment }) => segment.slice(0, Math.max(3, segment.length - 2)));
  if (words.length === 0) return text.includes(original.toLowerCase());
  return words.filter((word) => text.includes(word)).length >= words.length * minShare;
}

/** @throws EngineError when the prompt is longer than a client's prompt may be, because we cannot shorten it safely */
function bounded(prompt: string): string {
  const { length } = [...prompt];
  if (length <= longestPrompt) return prompt;
  throw new EngineError('provider_rejected', `The language model wrote a prompt of ${length} characters`);
}
