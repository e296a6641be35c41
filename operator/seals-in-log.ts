/** Compares the seals of the audit log with a log of workers, which a change to the database does not reach. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { sealedMessage } from '../schemas/audit.ts';
import { findSealDigest, isErased } from '../store/audit-pages.ts';
import type { Database } from '../store/database.ts';
import { keptSince } from '../store/old-rows.ts';

interface LoggedSeal {
  time: number;
  msg: string;
  orgId: string | null;
  seal: number;
  sha256: string;
}

/**
 * Returns a fault for each seal of the log that the database has not, or has with another content. Leaves out seals of
 * erased organizations, and those that are old enough to be deleted.
 * @param file lines of workers; text before the JSON object of a line, such as the name of a container, is ignored
 * @param org default: all organizations
 * @throws Error when the file names no seal that can be compared
 */
export async function compareWithLog(
  db: Database,
  file: string,
  org: string | undefined,
  now: Date,
): Promise<{ orgId: string | null; subject: string; fault: string }[]> {
  const faults = [];
  let compared = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const logged = readSeal(line);
    if (!logged || (org !== undefined && logged.orgId !== org) || logged.time < keptSince(now).getTime()) continue;
    const { orgId, seal, sha256 } = logged;
    compared += 1;
    const found = await findSealDigest(db, orgId, seal);
    if (found === sha256 || (orgId !== null && (await isErased(db, orgId)))) continue;
    const fault = found === null ? 'was removed: the log names it' : 'differs from the one in the log';
    faults.push({ orgId, subject: `seal ${seal}`, fault });
  }
  if (compared === 0) {
    throw new Error(
      `${file} names no seal. Save the lines "${sealedMessage}" from the log of the workers, as they are.`,
    );
  }
  return faults;
}

/** Returns null for every other line of the log. */
export function readSeal(line: string): LoggedSeal | null {
  if (!line.includes(sealedMessage)) return null;
  try {
    const value = JSON.parse(line.slice(line.indexOf('{'))) as LoggedSeal;
    return value.msg === sealedMessage ? value : null;
  } catch {
    return null;
  }
}
