/** A rule: a sentence form and the edits that it means. */
import type { Edit } from '../edits.ts';
import { form, type Form, type Found } from './forms.ts';
import { slots } from './slots.ts';
import type { Amount } from './words.ts';

export interface Context {
  amount: Amount;
  /** A mask came with the instruction. */
  mask: boolean;
}

export interface Rule {
  form: Form;
  /** Returns null if the words of the form make no sense together. */
  edits: (found: Found, context: Context) => Edit[] | null;
}

export const rule = (pattern: string, edits: Rule['edits']): Rule => ({ form: form(pattern, slots), edits });

/** Returns the edits of the first rule that fits. */
export function applied(rules: readonly Rule[], words: readonly string[], context: Context): Edit[] | null {
  for (const { form, edits } of rules) {
    const found = form(words);
    const made = found && edits(found, context);
    if (made) return made;
  }
  return null;
}
