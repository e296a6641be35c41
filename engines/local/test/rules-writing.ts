/** Calls the rules as an engine does, with defaults for most parameters. */
import { writeByRules } from '../rules/index.ts';
import type { JsonFormat, Purpose, Purposes, Writing, Written } from '../../contract/index.ts';

interface Open {
  format?: JsonFormat | null;
  maxTokens?: number | null;
}

export function write<P extends Purpose>(
  purpose: P,
  facts: Purposes[P],
  { format = null, maxTokens = null }: Open = {},
): Written {
  return writeByRules({ purpose, facts, format, maxTokens, temperature: null, nsfw: false } as Writing);
}

/** A text purpose with or without instructions. */
export const ask = (
  purpose: 'rewrite' | 'copy' | 'summarize',
  text: string,
  instructions: string | null = null,
): string => write(purpose, { text, instructions }).text;

export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the code and message that a client receives for an error of `act`. */
export function refusal(act: () => unknown): { code: string; publicMessage: string | undefined } {
  try {
    act();
  } catch (error) {
    const { name, code, publicMessage } = error as { name: string; code: string; publicMessage?: string };
    if (name !== 'EngineError') throw error;
    return { code, publicMessage };
  }
  throw new Error('nothing was rejected');
}
