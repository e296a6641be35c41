/** The name under which the audit log records the operator's changes. */
import { userInfo } from 'node:os';
import { InvalidArgumentError } from 'commander';
import { type Author, operator } from '../store/audit.ts';

/** @throws InvalidArgumentError unless the name has 1 to 100 printable characters */
export function operatorName(text: string): string {
  if (/^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text) && text.trim() !== '') return text;
  throw new InvalidArgumentError('It must have 1 to 100 printable characters.');
}

/** Returns the operator as an author. @param name default: the name of the user who runs this process */
export const operatorNamed = (name = userName()): Author => ({ ...operator, operatorName: name });

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}
