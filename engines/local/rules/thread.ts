/** The inside of the rules' thread: whatever a pattern makes of a client's text, it can be ended from outside. */
import type { Writing, Written } from '../../../schemas/writing.ts';
import { refused, type Outcome } from '../outcome.ts';
import { writeByRules } from './index.ts';

export default function (writing: Writing): Outcome<Written> {
  try {
    return { result: writeByRules(writing) };
  } catch (error) {
    return refused(error);
  }
}
