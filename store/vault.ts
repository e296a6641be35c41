/** Cryptography with keys derived from ATELIER_SECRET: encrypts webhook secrets at rest and signs image links. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decryptWith, encryptWith, type Format, formatOf, keyIdLength, keyIdOf } from './ciphertext.ts';

export interface Vault {
  /** @param owner the id of the organization, without which a text in the format `bound` cannot be decrypted */
  encrypt(text: string, owner: string, format: Format): Buffer;
  /** @throws Error when the bytes were changed, or were encrypted with another secret or for another organization */
  decrypt(bytes: Uint8Array, owner: string): string;
  /** Returns whether `decrypt` needs no previous secret, and the bytes are bound to an organization. */
  isCurrent(bytes: Uint8Array): boolean;
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

/** @param previous the previous secret during a rotation; it still decrypts and verifies */
export function openVault(secret: string, previous: string | null = null): Vault {
  const current = keysOf(secret);
  const all = [current, ...(previous === null ? [] : [keysOf(previous)])];
  const encryptionKeys = all.map(({ encryption }) => encryption);
  const signWith = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    encrypt: (text, owner, format) => encryptWith(current.encryption, text, owner, format),
    decrypt(bytes, owner) {
      if (formatOf(bytes) === 'plain') return decryptWithAny(encryptionKeys, bytes, owner);
      const id = keyIdOf(bytes);
      const named = encryptionKeys.find((key) => key.id.equals(id));
      if (!named) throw new Error(`${otherSecret} (key ${id.toString('hex')}). ${remedy}`);
      try {
        return decryptWith(named, bytes, owner);
      } catch (cause) {
        const message = `This data was changed, or was encrypted for an organization other than ${owner}.`;
        throw new Error(`${message} Restore it from a backup, or rotate the webhook secret.`, { cause });
      }
    },
    isCurrent: (bytes) => formatOf(bytes) === 'bound' && keyIdOf(bytes).equals(current.encryption.id),
    sign: (text) => signWith(current.link, text),
    verify(text, signature) {
      const given = Buffer.from(signature);
      return all.some(({ link }) => {
        const expected = Buffer.from(signWith(link, text));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}

function keysOf(secret: string) {
  const derive = (purpose: string, length = 32) => Buffer.from(hkdfSync('sha256', secret, 'atelier', purpose, length));
  return {
    encryption: { id: derive('key-id', keyIdLength), key: derive('webhook-secrets') },
    link: derive('image-links'),
  };
}

const otherSecret = 'This data was encrypted with another ATELIER_SECRET';
const remedy = 'Set ATELIER_PREVIOUS_SECRET to the secret that was used.';

/** A ciphertext in the format `plain` does not name its key. */
function decryptWithAny(keys: Parameters<typeof decryptWith>[0][], bytes: Uint8Array, owner: string): string {
  for (const key of keys) {
    try {
      return decryptWith(key, bytes, owner);
    } catch {
      // The error below says what to do.
    }
  }
  throw new Error(`${otherSecret}. ${remedy}`);
}
