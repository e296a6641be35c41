/** Reads what may be missing in the file system. */
import { codeOf } from '../../runtime/error-code.ts';

/** Returns null for a file or folder that does not exist. */
export async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
