/** Starts the workflow that purges an uploaded file, labelled for the Temporal UI. */
import type { UploadedFile } from '../store/entities.ts';
import type { purgeFile } from '../workflows/purge-file.ts';
import type { CreationDependencies } from './dependencies.ts';
import { startWorkflow } from './start-workflow.ts';

/**
 * @param delay milliseconds until the purge
 * @throws Problem `unavailable` when Temporal cannot be reached; `WorkflowExecutionAlreadyStartedError` when a workflow
 * with this id runs or has completed
 */
export function startUploadWorkflow(
  deps: Pick<CreationDependencies, 'config' | 'temporal' | 'metrics'>,
  { id, org }: Pick<UploadedFile, 'id' | 'org'>,
  delay: number,
): Promise<void> {
  return startWorkflow<typeof purgeFile>(deps, 'purgeFile', {
    workflowId: id,
    // A workflow that has completed has purged its file.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
    args: [{ id }],
    startDelay: delay,
    staticSummary: `uploaded file · ${org}`,
  });
}
