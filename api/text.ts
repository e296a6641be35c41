/** Checks on a parsed body that no schema states: text that can be stored, and a size that a validator can bear. */
import type { FieldError } from './problem.ts';

const mostValues = 10_000;
const deepest = 32;

/** @returns what is wrong with the texts and the shape of a JSON value; empty when nothing is */
export function checkText(body: unknown): FieldError[] {
  const found: FieldError[] = [];
  let values = 0;
  const visit = (value: unknown, path: string, depth: number): void => {
    if (++values > mostValues || depth > deepest) return;
    if (typeof value === 'string') {
      if (!isPlainText(value)) found.push({ path, rule: 'text', message: 'must not hold NUL or a lone surrogate' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const at = `${path}/${escapePointer(name)}`;
        if (isPlainText(name)) visit(inner, at, depth + 1);
        else found.push({ path, rule: 'text', message: 'has a field whose name holds NUL or a lone surrogate' });
        if (values > mostValues) return;
      }
    }
    if (depth === deepest) found.push({ path, rule: 'depth', message: `is nested deeper than ${deepest} levels` });
  };
  visit(body, '', 0);
  if (values > mostValues) {
    return [{ path: '', rule: 'size', message: `must not hold more than ${mostValues} values` }];
  }
  return found;
}

const isPlainText = (text: string) => text.isWellFormed() && !text.includes('\0');

/** A field's name as a step of a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
