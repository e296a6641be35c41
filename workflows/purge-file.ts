/** Purges an uploaded file. The upload starts this workflow with a delay until the file expires. */
import type { UploadInput } from '../schemas/workflow.ts';
import { purging } from './activities.ts';

export async function purgeFile({ id }: UploadInput): Promise<void> {
  await purging.purgeFile({ id });
}
