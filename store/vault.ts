/** What is derived from ATELIER_SECRET: encryption of webhook secrets at rest, signatures of image links. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

export interface Vault {
  encrypt(text: string): Buffer;
  /** @throws when the bytes were made with another secret or were changed */
  decrypt(bytes: Uint8Array): string;
  sign(text: string): string;
  verify(text: string, signature: string): boolean;
}

const ivLength = 12;
const tagLength = 16;

export function openVault(secret: string): Vault {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'atelier', purpose, 32));
  const encryptionKey = derive('webhook-secrets');
  const linkKey = derive('image-links');
  const sign = (text: string) => createHmac('sha256', linkKey).update(text).digest('base64url');
  return {
    encrypt(text) {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv);
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    decrypt(bytes) {
      const buffer = Buffer.from(bytes);
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, buffer.subarray(0, ivLength));
      decipher.setAuthTag(buffer.subarray(-tagLength));
      return decipher.update(buffer.subarray(ivLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
    },
    sign,
    verify(text, signature) {
      const expected = Buffer.from(sign(text));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
