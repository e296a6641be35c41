/** What an operator reads as the workflow's current details in the Temporal UI. Costs nothing in the history. */
import { setCurrentDetails } from '@temporalio/workflow';

/** Every workflow has its own copy of its modules' state. */
const lines: string[] = [];

/** Adds a step to the story, with its time. Nothing personal: operators see it. */
export function tell(step: string): void {
  lines.push(`- \`${new Date().toISOString()}\` ${step}`);
  setCurrentDetails(lines.join('\n'));
}
