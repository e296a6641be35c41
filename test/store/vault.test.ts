/** Encrypted data can be decrypted only with the same secret and only if it is unchanged. */
import { expect, test } from '@jest/globals';
import { openVault } from '../../store/vault.ts';

const vault = openVault('a secret for tests, at least 32 characters');
const other = openVault('another secret for tests, 32 characters');
const text = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

test('decrypts the text that it encrypted', () => {
  expect(vault.decrypt(vault.encrypt(text))).toBe(text);
  expect(vault.decrypt(vault.encrypt(''))).toBe('');
});

test('encrypting a text twice gives different bytes, which do not contain the text', () => {
  const [first, second] = [vault.encrypt(text), vault.encrypt(text)];
  expect(first.equals(second)).toBe(false);
  expect(first.includes(text)).toBe(false);
});

test('rejects encrypted data in which any byte has changed', () => {
  const bytes = vault.encrypt(text);
  for (let index = 0; index < bytes.length; index++) {
    const changed = Buffer.from(bytes);
    changed[index]! ^= 1;
    expect(() => vault.decrypt(changed)).toThrow();
  }
  expect(() => vault.decrypt(bytes.subarray(0, -1))).toThrow();
  expect(() => vault.decrypt(Buffer.alloc(0))).toThrow();
});

test('another secret decrypts nothing and rejects the signatures', () => {
  expect(() => other.decrypt(vault.encrypt(text))).toThrow();
  expect(other.verify('a', vault.sign('a'))).toBe(false);
});

test('verifies a signature only for the signed text', () => {
  expect(vault.verify('a', vault.sign('a'))).toBe(true);
  expect(vault.verify('b', vault.sign('a'))).toBe(false);
  expect(vault.verify('a', '')).toBe(false);
  expect(vault.verify('a', `${vault.sign('a')}A`)).toBe(false);
});

test('during a rotation, the previous secret still decrypts and verifies, and the new one encrypts and signs', () => {
  const rotating = openVault('another secret for tests, 32 characters', 'a secret for tests, at least 32 characters');
  expect(rotating.decrypt(vault.encrypt(text))).toBe(text);
  expect(rotating.verify('a', vault.sign('a'))).toBe(true);
  expect(other.decrypt(rotating.encrypt(text))).toBe(text);
  expect(other.verify('a', rotating.sign('a'))).toBe(true);
  expect(() => vault.decrypt(rotating.encrypt(text))).toThrow();
  const stranger = openVault('a third secret for tests, 32 characters');
  expect(() => rotating.decrypt(stranger.encrypt(text))).toThrow();
  expect(rotating.verify('a', stranger.sign('a'))).toBe(false);
});
