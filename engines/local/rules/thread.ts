/** The entry of the worker thread for the rules, in which the pool can stop a slow pattern. */
import type { Writing, Written } from '../../contract/index.ts';
import { refused, type Outcome } from '../outcome.ts';
import { writeByRules } from './index.ts';

export default function (writing: Writing): Outcome<Written> {
  try {
    return { result: writeByRules(writing) };
  } catch (error) {
    return refused(error);
  }
}
