/** The purposes for which a language model writes, and the facts that each purpose needs. */
import Type from 'typebox';
import type { InputImage } from './tasks.ts';
import type { StyleWords } from './style-dna.ts';

/** The input of each purpose, called its facts. Language engines build messages from it; the embedded rules read it. */
export interface Purposes {
  /** Rewrites a text in other words. */
  rewrite: { text: string; instructions: string | null };
  /** Marketing copy: a headline, a few sentences, a call to action. */
  copy: { text: string; instructions: string | null };
  summarize: { text: string; instructions: string | null };
  translate: { text: string; instructions: string | null };
  /** Follows the instruction in the text. */
  freeform: { text: string; instructions: string | null };
  /** Enhances a prompt for an image model; see `seer.ts`. */
  'enhance-prompt': { prompt: string; style: string | null };
  /** Makes a prompt clearer, in the words of an encoded style if there is one. */
  'refine-prompt': { prompt: string; style: StyleWords | null };
  /** JSON in the format of the call: the edits that an instruction describes. `mask`: whether the edits have a mask. */
  'list-edits': { instruction: string; mask: boolean };
  /** JSON: suggests styles for a prompt. */
  'style-options': { prompt: string; count: number };
  /** JSON: describes a style that was measured on images or that a prompt describes. A model with vision receives the images. */
  'describe-style': { measured: string; prompt: string | null; images?: InputImage[] };
}

export type Purpose = keyof Purposes;

/** Parameters of the task `write` for one purpose. */
export interface WritingOf<P extends Purpose> {
  purpose: P;
  facts: Purposes[P];
  /** The JSON format of the result; null for text. */
  format: JsonFormat | null;
  /** Maximum tokens of the result; null leaves the limit to the model. */
  maxTokens: number | null;
  /** 0–2; null leaves the temperature to the model. */
  temperature: number | null;
  nsfw: boolean;
}

/** Parameters of the task `write`, for any purpose. */
export type Writing = { [P in Purpose]: WritingOf<P> }[Purpose];

export interface JsonFormat {
  /** JSON Schema (2020-12) of the result. */
  schema: object;
}

/** Largest `maxTokens` that a request can set. */
export const maxOutputTokens = 8192;

/** The result of the task `write`. */
export interface Written {
  text: string;
  finishReason: FinishReason;
  usage: { inputTokens: number; outputTokens: number };
}

export const finishReasons = ['stop', 'length', 'content-filter', 'other'] as const;
export type FinishReason = (typeof finishReasons)[number];

/** Returns the parameters of `write`, with defaults for the optional ones. */
export function writing<P extends Purpose>(
  purpose: P,
  facts: Purposes[P],
  { format = null, maxTokens = null, temperature = null, nsfw = true }: Partial<Pick<Writing, Shared>> = {},
): WritingOf<P> {
  return { purpose, facts, format, maxTokens, temperature, nsfw };
}

type Shared = 'format' | 'maxTokens' | 'temperature' | 'nsfw';

/** The schema of the result of the purpose `style-options`. */
export const styleOptions = (count?: number) =>
  Type.Object(
    {
      options: Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 100 }),
            description: Type.String({ minLength: 1, maxLength: 500 }),
            prompt: Type.String({
              minLength: 1,
              maxLength: 4000,
              description: 'The prompt, in this style.',
            }),
          },
          { additionalProperties: false },
        ),
        count === undefined ? { minItems: 1, maxItems: 8 } : { minItems: count, maxItems: count },
      ),
    },
    { additionalProperties: false },
  );
