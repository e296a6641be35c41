/** Builds the conversation with a model from a purpose's brief and a call's facts. */
import { styleWords } from '../../schemas/style-dna.ts';
import { type Purpose, styleOptions, type Writing } from '../../schemas/writing.ts';
import type { Brief } from './brief.ts';
import { listEdits } from './edits.ts';
import { enhancePrompt, refinePrompt } from './prompts.ts';
import { describeBrief, optionsBrief } from './styles.ts';
import { copy, freeform, rewrite, summarize, translate } from './texts.ts';

export interface Message {
  role: 'user' | 'assistant';
  content: string;
}

export interface Conversation {
  /** System message. */
  instructions: string;
  messages: Message[];
}

const briefs: { readonly [P in Purpose]: Brief<P> } = {
  rewrite,
  copy,
  summarize,
  translate,
  freeform,
  'enhance-prompt': enhancePrompt,
  'refine-prompt': refinePrompt,
  'list-edits': listEdits,
  'style-options': optionsBrief,
  'describe-style': describeBrief,
};

/** Returns the JSON Schema of the output: the purpose's own or the call's; null for text. */
export function schemaOf(writing: Writing): object | null {
  return ownSchema(writing) ?? writing.format?.schema ?? null;
}

function ownSchema({ purpose, facts, format }: Writing): object | null {
  if (purpose === 'list-edits') return format?.schema ?? null;
  if (purpose === 'style-options') return styleOptions(facts.count);
  return purpose === 'describe-style' ? styleWords : null;
}

/** @param showSchema whether the messages contain the schema, for servers that do not enforce it */
export function conversation(writing: Writing, showSchema: boolean): Conversation {
  // TypeScript cannot relate a purpose to its facts across the union of all briefs.
  const { role, userMessage, examples } = briefs[writing.purpose] as Brief<Purpose>;
  const schema = schemaOf(writing);
  const instructions = [role];
  if (!writing.nsfw) instructions.push('Keep it fit for all ages: nothing sexual, nothing gory.');
  if (schema) instructions.push(jsonOnly);
  if (schema && showSchema) instructions.push(`The JSON Schema of the answer:\n${JSON.stringify(schema)}`);
  // Examples in prose would teach the model to write prose instead of JSON.
  const hasCallSchema = schema !== null && ownSchema(writing) === null;
  const request = userMessage(writing.facts);
  return {
    instructions: instructions.join('\n\n'),
    messages: [
      ...(hasCallSchema ? [] : examples.flatMap(({ facts, output }) => exchange(userMessage(facts), output))),
      { role: 'user', content: hasCallSchema ? `${request}\n\n${inJson}` : request },
    ],
  };
}

const exchange = (text: string, output: string): Message[] => [
  { role: 'user', content: text },
  { role: 'assistant', content: output },
];

const jsonOnly =
  'Write the answer as one JSON object that keeps to its schema: no code fences, no words before or after it.';
const inJson = 'Give the answer as one JSON object that keeps to the schema.';
