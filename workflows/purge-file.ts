/** The end of an uploaded file. It is started with the upload, delayed until the file's retention ends. */
import type { UploadInput } from '../schemas/workflow.ts';
import { purging } from './steps.ts';

export async function purgeFile({ id }: UploadInput): Promise<void> {
  await purging.purgeFile({ id });
}
