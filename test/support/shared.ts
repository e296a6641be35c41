/** The servers and services that all test files of a run share: PostgreSQL, Temporal, and running stacks. */
import type { Profile } from './profiles.ts';
import type { Service, Stack, StackOptions } from './stack.ts';

/** Starts a stack for one test file, which stops it. For settings that no profile has, and for stopping processes. */
export async function startSharedStack(
  options: Omit<StackOptions, 'databaseUrl' | 'temporalAddress' | 'folder'> = {},
): Promise<Stack> {
  // Files that only join a service load neither the ORM nor the migrations.
  const { startStack } = await import('./stack.ts');
  return startStack({ ...shared(), ...options });
}

/**
 * Returns the run's service of this profile, with a new organization. Other test files use the service at the same
 * time; it starts when the first of them joins it and stops after the run.
 */
export async function joinService(profile: Profile): Promise<Service> {
  const response = await fetch(`${process.env['TEST_SERVICES_URL']}/${profile}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) throw new Error(`The service "${profile}" of this test run does not start: ${text}`);
  return JSON.parse(text) as Service;
}

export function shared(): { databaseUrl: string; temporalAddress: string; folder: string } {
  return {
    databaseUrl: process.env['TEST_DATABASE_URL'] ?? '',
    temporalAddress: process.env['TEST_TEMPORAL_ADDRESS'] ?? '',
    folder: process.env['TEST_FOLDER'] ?? '',
  };
}
