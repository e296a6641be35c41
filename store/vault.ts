/** Cryptography with keys derived from ATELIER_SECRET: encrypts webhook secrets at rest, signs image links, seals the audit log. */
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
  /** Identifies the secret in seals. */
  secretId: string;
  /** Whether a previous secret is known. */
  isRotating: boolean;
  /** Returns the HMAC of a seal's digest. */
  seal(sha256: string): string;
  /** Returns `unknown` when the seal has a secret that is neither the current nor the previous one. */
  verifySeal(seal: Seal): 'valid' | 'forged' | 'unknown';
}

interface Seal {
  sha256: string;
  secretId: string;
  hmac: string;
}

/** @param previous the previous secret during a rotation; it still decrypts and verifies */
export function openVault(secret: string, previous: string | null = null): Vault {
  const current = keysOf(secret);
  const all = [current, ...(previous === null ? [] : [keysOf(previous)])];
  const encryptionKeys = all.map(({ encryption }) => encryption);
  const signWith = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const sealWith = (key: Buffer, sha256: string) => createHmac('sha256', key).update(sha256).digest('hex');
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
        const message = `This data was changed, or was encrypted for another owner than ${owner}.`;
        throw new Error(`${message} Restore it from a backup, or rotate the webhook secret or the signing key.`, {
          cause,
        });
      }
    },
    isCurrent: (bytes) => formatOf(bytes) === 'bound' && keyIdOf(bytes).equals(current.encryption.id),
    sign: (text) => signWith(current.link, text),
    verify(text, signature) {
      return all.some(({ link }) => isEqual(signature, signWith(link, text)));
    },
    secretId: idOf(current),
    isRotating: all.length > 1,
    seal: (sha256) => sealWith(current.seal, sha256),
    verifySeal({ sha256, secretId, hmac }) {
      const named = all.find((keys) => idOf(keys) === secretId);
      if (!named) return 'unknown';
      return isEqual(hmac, sealWith(named.seal, sha256)) ? 'valid' : 'forged';
    },
  };
}

const idOf = ({ encryption }: ReturnType<typeof keysOf>): string => encryption.id.toString('hex');

/** Compares texts in constant time. */
function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function keysOf(secret: string) {
  const derive = (purpose: string, length = 32) => Buffer.from(hkdfSync('sha256', secret, 'atelier', purpose, length));
  return {
    encryption: { id: derive('key-id', keyIdLength), key: derive('webhook-secrets') },
    link: derive('image-links'),
    seal: derive('audit-seals'),
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
