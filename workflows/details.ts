/** The progress that the Temporal UI shows as the workflow's current details. The details are not part of the history. */
import { setCurrentDetails } from '@temporalio/workflow';

/** Each workflow runs with its own copy of this module. */
const lines: string[] = [];

/** Appends a line with the current time. Operators read it, so it must not contain personal data. */
export function addDetail(text: string): void {
  lines.push(`- \`${new Date().toISOString()}\` ${text}`);
  setCurrentDetails(lines.join('\n'));
}
