/** Parses the whole numbers among the arguments of the commands. */
import { InvalidArgumentError } from 'commander';

/** The largest value of PostgreSQL's type `integer`. */
const maxInteger = 2147483647;

/** @throws InvalidArgumentError unless the text is a whole number from `min` to `max` */
export function integer(text: string, min: number, max = maxInteger): number {
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : NaN;
  if (value >= min && value <= max) return value;
  throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
}

/** Parses the maximum number of items that a command lists. */
export const limit = (text: string): number => integer(text, 1, 99_999);
