/** Ids, keys and secrets: their form, their order, their uniqueness. */
import { expect, test } from '@jest/globals';
import { isId, newApiKey, newId, newSeed, newWebhookSecret } from '../../store/ids.ts';

const many = 10_000;

test('an id is its prefix and a ULID', () => {
  expect(newId('art')).toMatch(/^art_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  // The time of the ULID specification's own example.
  expect(newId('key', 1469918176385)).toMatch(/^key_01ARYZ6S41/);
});

test('an id is one only with its prefix, and with nothing before or after it', () => {
  const id = newId('art');
  expect(isId('art', id)).toBe(true);
  const others = ['', 'art_', 'art', newId('file'), `${id}A`, id.slice(0, -1), id.toLowerCase(), `../${id}`, `${id}\n`];
  for (const other of [...others, undefined, null, 1, [id]]) expect(isId('art', other)).toBe(false);
});

test('ids sort by their time', () => {
  const times = [0, 1, 1000, Date.now(), Date.now() + 1, 2 ** 48 - 1];
  const ids = times.map((time) => newId('art', time));
  expect(ids.toSorted()).toEqual(ids);
});

test('ids of the same millisecond differ', () => {
  expect(new Set(Array.from({ length: many }, () => newId('art', 1))).size).toBe(many);
});

test('the first ten characters of an API key show its environment and differ between keys', () => {
  expect(newApiKey('live')).toMatch(/^atl_[0-9A-Za-z]{43}$/);
  expect(newApiKey('test')).toMatch(/^att_[0-9A-Za-z]{43}$/);
  const keys = Array.from({ length: 100 }, () => newApiKey('live').slice(0, 10));
  expect(new Set(keys).size).toBe(keys.length);
});

test('a webhook secret is whsec_ and the base64 of 32 bytes', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/);
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  expect(newWebhookSecret()).not.toBe(secret);
});

test('seeds cover the whole range', () => {
  const seeds = Array.from({ length: 1000 }, newSeed);
  expect(seeds.every((seed) => Number.isInteger(seed) && seed >= 0 && seed <= 4294967295)).toBe(true);
  expect(Math.max(...seeds)).toBeGreaterThan(2 ** 31);
  expect(Math.min(...seeds)).toBeLessThan(2 ** 31);
});
