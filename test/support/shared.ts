/** The servers and services that all test files of a run share: PostgreSQL, Temporal, and running stacks. */
import type { Profile } from './profiles.ts';
import type { Service, Stack, StackOptions } from './stack.ts';

/** Starts a stack for one test file, which stops it. For settings that no profile has, and for stopping processes. */
export async function startSharedStack(options: Omit<StackOptions, keyof Shared> = {}): Promise<Stack> {
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

/** The servers of a run. */
export type Shared = Pick<
  StackOptions,
  'databaseUrl' | 'roles' | 'poolerPort' | 'temporalAddress' | 'folder' | 'cluster'
>;

export function shared(): Shared {
  return JSON.parse(process.env['TEST_SERVERS'] ?? '{}') as Shared;
}
