/** Cryptography with keys derived from ATELIER_SECRET: encrypts webhook secrets at rest and signs image links. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Vault {
  encrypt(text: string): Buffer;
  /** @throws Error when the bytes were encrypted with another secret or have been changed */
  decrypt(bytes: Uint8Array): string;
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

const ivLength = 12;
const tagLength = 16;

/** @param previous the previous secret during a rotation; it still decrypts and verifies */
export function openVault(secret: string, previous: string | null = null): Vault {
  const derive = (from: string, purpose: string) => Buffer.from(hkdfSync('sha256', from, 'atelier', purpose, 32));
  const keysOf = (from: string) => ({
    encryption: derive(from, 'webhook-secrets'),
    link: derive(from, 'image-links'),
  });
  const current = keysOf(secret);
  const old = previous === null ? null : keysOf(previous);
  const signWith = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url');
  return {
    encrypt(text) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', current.encryption, iv);
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(bytes) {
      try {
        return decryptWith(current.encryption, bytes);
      } catch {
        try {
          if (old) return decryptWith(old.encryption, bytes);
        } catch {
          // The error below says what to do.
        }
        throw new Error(
          'This data was encrypted with another ATELIER_SECRET. Set ATELIER_PREVIOUS_SECRET to the secret that was used.',
        );
      }
    },
    sign: (text) => signWith(current.link, text),
    verify(text, signature) {
      const given = Buffer.from(signature);
      return [current, ...(old ? [old] : [])].some(({ link }) => {
        const expected = Buffer.from(signWith(link, text));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}

function decryptWith(key: Buffer, bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  const decipher = createDecipheriv('aes-256-gcm', key, buffer.subarray(0, ivLength));
  decipher.setAuthTag(buffer.subarray(-tagLength));
  return decipher.update(buffer.subarray(ivLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
}
