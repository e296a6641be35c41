/** Classifies the errors of everything that stores data: the database and the files. */
import { isDatabaseUnavailable } from './database.ts';
import { FilesUnavailable } from './files/unavailable.ts';

/** Returns whether an error means that the database or the files are unavailable for now. */
export function isStoreUnavailable(error: unknown): boolean {
  return error instanceof FilesUnavailable || isDatabaseUnavailable(error);
}
