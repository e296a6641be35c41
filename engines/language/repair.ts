/** Repairs JSON of our own formats: removes extra fields and entries, and restores the subject of prompts. */
import type { Writing } from '../../schemas/writing.ts';
import { withSubject } from './output-text.ts';

/** Removes surplus fields and entries, which are no reason to fail. The schema then detects what is missing. */
export function repair(value: unknown, { purpose, facts }: Writing): unknown {
  if (purpose === 'style-options') {
    return pick(value, {
      options: entries(facts.count, (option) =>
        pick(option, {
          name: trimmed,
          description: trimmed,
          prompt: (prompt) => withItsSubject(trimmed(prompt), facts.prompt),
        }),
      ),
    });
  }
  if (purpose === 'describe-style') return pick(value, { summary: trimmed, keywords: entries(maxKeywords, trimmed) });
  return value;
}

const maxKeywords = 12;

type Shape = (value: unknown) => unknown;

const trimmed: Shape = (value) => (typeof value === 'string' ? value.trim() : value);

/** Restores the subject, because small models copy the subject of an example. */
const withItsSubject = (prompt: unknown, original: string) =>
  typeof prompt === 'string' && prompt !== '' ? withSubject(prompt, original) : prompt;

const entries =
  (max: number, shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) ? [...new Set(value.map(shape))].slice(0, max) : value;

function pick(value: unknown, shapes: Readonly<Record<string, Shape>>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const known = Object.entries(value).filter(([key]) => Object.hasOwn(shapes, key));
  return Object.fromEntries(known.map(([key, inner]) => [key, shapes[key]?.(inner)]));
}
