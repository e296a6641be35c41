/** Encrypted data can be decrypted only with the same secret, for the same organization, and only if it is unchanged. */
import { createDecipheriv, hkdfSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decryptWith } from '../../store/ciphertext.ts';
import { openVault } from '../../store/vault.ts';

const secret = 'a secret for tests, at least 32 characters';
const nextSecret = 'another secret for tests, 32 characters';
const vault = openVault(secret);
const other = openVault(nextSecret);
const rotating = openVault(nextSecret, secret);
const stranger = openVault('a third secret for tests, 32 characters');
const text = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const org = 'org_acme';

/** The text, encrypted by release 2.6.2 with the secret. */
const earlier = Buffer.from(
  'soDeBT0gfaGQX5J6rnKzIeBubHeJkuJnfmHFenAuNBjwqyoB4gbZ2qQGpG75hGKqlBNfjMPya1Gpw8DCZfWxRcqBj7PqK2Trg1/c0PxT',
  'base64',
);

/** Decrypts as release 2.6.2 does. */
function decryptAsBefore(bytes: Buffer): string {
  const key = Buffer.from(hkdfSync('sha256', secret, 'atelier', 'webhook-secrets', 32));
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
}

describe.each(['bound', 'plain'] as const)('in the format %s', (format) => {
  const encrypt = (by = vault) => by.encrypt(text, org, format);

  test('decrypts the text that it encrypted', () => {
    expect(vault.decrypt(encrypt(), org)).toBe(text);
    expect(vault.decrypt(vault.encrypt('', org, format), org)).toBe('');
  });

  test('encrypting a text twice gives different bytes, which do not contain the text', () => {
    const [first, second] = [encrypt(), encrypt()];
    expect(first.equals(second)).toBe(false);
    expect(first.includes(text)).toBe(false);
  });

  test('rejects encrypted data in which any byte has changed', () => {
    const bytes = encrypt();
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      expect(() => vault.decrypt(changed, org)).toThrow();
    }
    expect(() => vault.decrypt(bytes.subarray(0, -1), org)).toThrow();
  });

  test('another secret decrypts nothing, and the error says what to set', () => {
    expect(() => other.decrypt(encrypt(), org)).toThrow(
      /encrypted with another ATELIER_SECRET.*ATELIER_PREVIOUS_SECRET/,
    );
  });

  test('during a rotation, the previous secret still decrypts, and the new one encrypts', () => {
    expect(rotating.decrypt(encrypt(), org)).toBe(text);
    expect(other.decrypt(encrypt(rotating), org)).toBe(text);
    expect(() => vault.decrypt(encrypt(rotating), org)).toThrow('another ATELIER_SECRET');
    expect(() => rotating.decrypt(encrypt(stranger), org)).toThrow('another ATELIER_SECRET');
  });
});

test('decrypts nothing in no bytes', () => {
  expect(() => vault.decrypt(Buffer.alloc(0), org)).toThrow();
});

test('accepts no authentication tag that is shorter than usual, because it could be guessed', () => {
  const key = { id: Buffer.alloc(8), key: Buffer.alloc(32) };
  for (const length of [4, 8, 12, 15]) {
    expect(() => decryptWith(key, Buffer.alloc(length), org)).toThrow('Invalid authentication tag length');
  }
});

test('reads what release 2.6.2 has written, and writes what that release reads', () => {
  expect(vault.decrypt(earlier, org)).toBe(text);
  expect(decryptAsBefore(vault.encrypt(text, org, 'plain'))).toBe(text);
});

test('a bound text of one organization cannot be decrypted for another, and cannot become a plain one', () => {
  const bytes = vault.encrypt(text, org, 'bound');
  expect(() => vault.decrypt(bytes, 'org_other')).toThrow('for another owner than org_other');
  expect(() => vault.decrypt(bytes.subarray(16), 'org_other')).toThrow();
});

test('the error about a bound text names the key that it was encrypted with', () => {
  const id = vault.encrypt(text, org, 'bound').subarray(8, 16).toString('hex');
  expect(() => other.decrypt(vault.encrypt(text, org, 'bound'), org)).toThrow(id);
});

test('only bound texts of the current secret are current', () => {
  expect(rotating.isCurrent(other.encrypt(text, org, 'bound'))).toBe(true);
  expect(rotating.isCurrent(vault.encrypt(text, org, 'bound'))).toBe(false);
  expect(rotating.isCurrent(other.encrypt(text, org, 'plain'))).toBe(false);
});

test('verifies a signature only for the signed text and with the same secret', () => {
  expect(vault.verify('a', vault.sign('a'))).toBe(true);
  expect(vault.verify('b', vault.sign('a'))).toBe(false);
  expect(vault.verify('a', '')).toBe(false);
  expect(vault.verify('a', `${vault.sign('a')}A`)).toBe(false);
  expect(other.verify('a', vault.sign('a'))).toBe(false);
});

test('during a rotation, the previous secret still verifies, and the new one signs', () => {
  expect(rotating.verify('a', vault.sign('a'))).toBe(true);
  expect(other.verify('a', rotating.sign('a'))).toBe(true);
  expect(rotating.verify('a', stranger.sign('a'))).toBe(false);
});
