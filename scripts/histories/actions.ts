/** Counts the actions that Temporal Cloud bills for a history. */
import type { History } from './json.ts';

/** Events of one action each, by type in Temporal's API. Search attributes at the start and workflow tasks cost nothing. */
const billed = {
  1: 'workflow start',
  10: 'activity',
  17: 'timer',
  26: 'signal',
  40: 'search attributes',
} as const;

/** Events that Temporal Cloud bills otherwise, and the search attribute of patches, which is free. */
const activityStarted = 11;
const marker = 25;
const patches = 'TemporalChangeVersion';

export type Action = (typeof billed)[keyof typeof billed] | 'activity retry' | 'local activities';

/**
 * Returns the number of actions by kind. All markers of one workflow task count as one action: those of local activities
 * and of patches. Heartbeats are in no history.
 */
export function countActions({ events }: History): Partial<Record<Action, number>> {
  const counts: Partial<Record<Action, number>> = {};
  const add = (action: Action, count = 1) => (counts[action] = (counts[action] ?? 0) + count);
  const tasksWithMarkers = new Set<string>();
  for (const event of events ?? []) {
    const type = Number(event.eventType);
    const action = Object.entries(billed).find(([one]) => Number(one) === type)?.[1];
    const changed = event.upsertWorkflowSearchAttributesEventAttributes?.searchAttributes?.indexedFields;
    if (action !== undefined && !(changed && patches in changed)) add(action);
    if (type === activityStarted) {
      const retries = (event.activityTaskStartedEventAttributes?.attempt ?? 1) - 1;
      if (retries > 0) add('activity retry', retries);
    }
    if (type === marker) {
      const task = String(event.markerRecordedEventAttributes?.workflowTaskCompletedEventId);
      if (!tasksWithMarkers.has(task)) add('local activities');
      tasksWithMarkers.add(task);
    }
  }
  return counts;
}
