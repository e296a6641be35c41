/** What a language model can be asked to write, and the facts that each purpose needs. */
import Type from 'typebox';
import type { InputImage } from './tasks.ts';
import type { StyleWords } from './style-dna.ts';

/** What each purpose is about. Rules that stand in for a model work from these; messages are made from them. */
export interface Purposes {
  /** Say the same in other words. */
  rewrite: { text: string; instructions: string | null };
  /** Copy for people to read: a headline, a few sentences, a call to action. */
  copy: { text: string; instructions: string | null };
  summarize: { text: string; instructions: string | null };
  translate: { text: string; instructions: string | null };
  /** Whatever the text asks for. */
  freeform: { text: string; instructions: string | null };
  /** A fuller prompt for an image model. @see `promptMode` `seer` */
  'enhance-prompt': { prompt: string; style: string | null };
  /** A clearer prompt, of one encoded style where one is given. */
  'refine-prompt': { prompt: string; style: StyleWords | null };
  /** JSON: several styles that would suit a prompt. */
  'style-options': { prompt: string; count: number };
  /** JSON: words for a style that was measured on images, or asked for by a prompt. A model that can see gets the images. */
  'describe-style': { measured: string; prompt: string | null; images?: InputImage[] };
}

export type Purpose = keyof Purposes;

/** Parameters of the task `write` for one purpose. */
export interface WritingOf<P extends Purpose> {
  purpose: P;
  facts: Purposes[P];
  /** JSON that keeps to a schema: null for text. */
  format: JsonFormat | null;
  /** Of the answer; null leaves it to the model. */
  maxTokens: number | null;
  /** 0–2; null leaves it to the model. */
  temperature: number | null;
  nsfw: boolean;
}

/** Parameters of the task `write`, for any purpose. */
export type Writing = { [P in Purpose]: WritingOf<P> }[Purpose];

export interface JsonFormat {
  /** JSON Schema (2020-12) of the answer. */
  schema: object;
}

/** The most that an answer can be asked to have. */
export const mostTokens = 8192;

/** What a model has written. */
export interface Written {
  text: string;
  finishReason: FinishReason;
  usage: { inputTokens: number; outputTokens: number };
}

export const finishReasons = ['stop', 'length', 'content-filter', 'other'] as const;
export type FinishReason = (typeof finishReasons)[number];

/** The parameters of `write`, with what most purposes leave open. */
export function writing<P extends Purpose>(
  purpose: P,
  facts: Purposes[P],
  { format = null, maxTokens = null, temperature = null, nsfw = true }: Partial<Pick<Writing, Shared>> = {},
): WritingOf<P> {
  return { purpose, facts, format, maxTokens, temperature, nsfw };
}

type Shared = 'format' | 'maxTokens' | 'temperature' | 'nsfw';

/** Answer of the purpose `style-options`. */
export const styleOptions = (count?: number) =>
  Type.Object(
    {
      options: Type.Array(
        Type.Object(
          {
            name: Type.String({ minLength: 1, maxLength: 100 }),
            description: Type.String({ minLength: 1, maxLength: 500 }),
            prompt: Type.String({ minLength: 1, maxLength: 4000, description: 'The prompt, in this style.' }),
          },
          { additionalProperties: false },
        ),
        count === undefined ? { minItems: 1, maxItems: 8 } : { minItems: count, maxItems: count },
      ),
    },
    { additionalProperties: false },
  );
