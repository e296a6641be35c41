/** Checks on a parsed body that no schema expresses: a size that the validator can handle, and text that can be stored. */
import { isPlainText } from '../schemas/plain-text.ts';
import type { FieldError } from './problem.ts';

/** Maximum values in a body, nested ones included. */
export const maxValues = 2000;
/** Maximum depth of nesting. */
const deepestLevel = 32;
/** Maximum characters of a field's name, because error messages repeat it. */
const longestName = 256;

export const tooManyValues: FieldError = {
  path: '',
  rule: 'size',
  message: `must not contain more than ${maxValues} values`,
};

/** Returns why a JSON value is too large or too deep to validate; null when it is not. */
export function checkShape(body: unknown): FieldError | null {
  let values = 0;
  let found: FieldError | null = null;
  const visit = (value: unknown, path: string, depth: number): void => {
    if (++values > maxValues) {
      found = tooManyValues;
    } else if (depth > deepestLevel) {
      found = { path, rule: 'depth', message: `is nested deeper than ${deepestLevel} levels` };
    } else if (typeof value === 'object' && value !== null) {
      for (const name in value) {
        if (name.length > longestName) {
          found = { path, rule: 'size', message: `has a field whose name is longer than ${longestName} characters` };
          return;
        }
        visit((value as Record<string, unknown>)[name], `${path}/${escapePointer(name)}`, depth + 1);
        if (found) return;
      }
    }
  };
  visit(body, '', 0);
  return found;
}

/** Returns the texts that cannot be stored. @param body a value that `checkShape` has accepted */
export function checkText(body: unknown): FieldError[] {
  const found: FieldError[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      if (!isPlainText(value)) found.push({ path, rule: 'text', message: 'must not contain NUL or a lone surrogate' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const at = `${path}/${escapePointer(name)}`;
        if (isPlainText(name)) visit(inner, at);
        else found.push({ path: at, rule: 'text', message: 'has a name that contains NUL or a lone surrogate' });
      }
    }
  };
  visit(body, '');
  return found;
}

/** Returns the name of a field as a token of a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1');
}
