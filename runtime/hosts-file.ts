/** Looks up a host name in the hosts file, where containers and operators name hosts that DNS does not know. */
import type { LookupAddress } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** Returns the addresses of a name. Reads the file again each time, because it may change. */
export async function findInHostsFile(name: string, file: string): Promise<LookupAddress[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    return family !== 0 && names.some((other) => other.toLowerCase() === name) ? [{ address, family }] : [];
  });
}
