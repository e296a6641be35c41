/** Finds workflow tasks that have failed, as when a release cannot continue a workflow. */
import type { Client } from '@temporalio/client';
import { expect } from '@jest/globals';

/** Expects that no workflow task of these workflows has failed. */
export async function expectNoFailedTask({ workflow }: Client, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const { events } = await workflow.getHandle(id).fetchHistory();
    const failed = (events ?? []).filter(({ workflowTaskFailedEventAttributes: failure }) => failure);
    expect({ id, failed }).toEqual({ id, failed: [] });
  }
}
