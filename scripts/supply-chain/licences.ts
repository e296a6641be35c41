/** Checks the licences of production packages, as the lock file records them. */
import satisfies from 'spdx-satisfies';
import type { LicenceException } from './allowed-licences.ts';
import type { LockedPackage } from './lock-file.ts';

/** The rules that a licence must follow. */
export interface LicenceRules {
  allowed: string[];
  exceptions: LicenceException[];
}

/** Returns every package whose licence is not allowed, and every exception that no package needs. */
export function wrongLicences(packages: LockedPackage[], { allowed, exceptions }: LicenceRules): string[] {
  const excepted = (one: LockedPackage) => exceptions.filter((exception) => applies(exception, one));
  const needing = packages.filter(({ license }) => license === undefined || !isAllowed(license, allowed));
  const used = new Set(needing.flatMap(excepted));
  return [
    ...needing
      .filter((one) => excepted(one).length === 0)
      .map(({ name, version, license = 'none' }) => `${name} ${version} has a licence that is not allowed: ${license}`),
    ...exceptions
      .filter((exception) => !used.has(exception))
      .map(({ packages: names, licence }) => `No package needs the exception for ${names} (${licence}). Remove it.`),
  ];
}

/** Returns the licence of a package, which may be that of an exception. */
export function licenceOf(one: LockedPackage, exceptions: LicenceException[]): string {
  const licence = one.license ?? exceptions.find((exception) => applies(exception, one))?.licence;
  return licence?.replace(/^\((.*)\)$/, '$1') ?? 'none';
}

function applies({ packages, version, licence }: LicenceException, one: LockedPackage): boolean {
  const isNamed = packages.endsWith('*') ? one.name.startsWith(packages.slice(0, -1)) : one.name === packages;
  return (
    isNamed && (version === undefined ? one.license === licence : one.license === undefined && one.version === version)
  );
}

/** Returns false also for a text that is no SPDX expression. */
function isAllowed(expression: string, allowed: string[]): boolean {
  try {
    return satisfies(expression, allowed);
  } catch {
    return false;
  }
}
