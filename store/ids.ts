/** New ids and secrets. Ids sort by their time, so lists are in order and inserts touch few index pages. */
import { randomBytes, randomInt } from 'node:crypto';

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export type IdPrefix = 'art' | 'key' | 'org' | 'evt' | 'req' | 'file' | 'sty' | 'ans' | 'aud' | 'seal';

/** Returns a ULID after a prefix: 48 bits of time and 80 random bits. @see https://github.com/ulid/spec */
export const newId = (prefix: IdPrefix, now: number = Date.now()): string =>
  idOf(prefix, now, BigInt(`0x${randomBytes(10).toString('hex')}`));

/** Returns whether a value has the form of the ids that `newId` returns for a prefix. */
export const isId = (prefix: IdPrefix, value: unknown): value is string =>
  typeof value === 'string' && value.startsWith(`${prefix}_`) && ulid.test(value.slice(prefix.length + 1));

const ulid = new RegExp(`^[0-7][${crockford}]{25}$`);

/** Returns the smallest id that can be created at a time: ids before it are older. */
export const firstId = (prefix: IdPrefix, at: Date): string => idOf(prefix, at.getTime(), 0n);

function idOf(prefix: IdPrefix, time: number, random: bigint): string {
  let value = (BigInt(time) << 80n) | random;
  let text = '';
  // 128 bits take 26 characters of 5 bits.
  for (let i = 0; i < 26; i++) {
    text = crockford[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return `${prefix}_${text}`;
}

/** Returns `atl_` or `att_` and 43 base62 characters: 256 random bits. */
export function newApiKey(environment: 'live' | 'test'): string {
  const characters = Array.from({ length: 43 }, () => base62[randomInt(62)]);
  return `${environment === 'live' ? 'atl' : 'att'}_${characters.join('')}`;
}

/** Returns `whsec_` and the base64 of 32 random bytes, as in Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Returns a seed for a request without one. */
export function newSeed(): number {
  return randomInt(2 ** 32);
}
