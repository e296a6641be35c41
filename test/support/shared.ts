/** A stack on the run's own PostgreSQL and Temporal server. */
import { type Stack, type StackOptions, startStack } from './stack.ts';

export function startSharedStack(
  options: Omit<StackOptions, 'databaseUrl' | 'temporalAddress' | 'folder'> = {},
): Promise<Stack> {
  return startStack({ ...shared(), ...options });
}

export function shared(): { databaseUrl: string; temporalAddress: string; folder: string } {
  return {
    databaseUrl: process.env['TEST_DATABASE_URL'] ?? '',
    temporalAddress: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    folder: process.env['TEST_FOLDER'] ?? '',
  };
}
