/** Texts encrypted with AES-256-GCM, each bound to an owner, in the format of this release or in that of 2.6.2. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** A key for encryption, with a short id that names it in ciphertexts. */
export interface EncryptionKey {
  id: Buffer;
  key: Buffer;
}

/**
 * `bound` names its key and is readable only for its owner. `plain`, the format of releases up to 2.6.2, is neither.
 */
export type Format = 'bound' | 'plain';

/** Begins every `bound` ciphertext. A `plain` one begins with random bytes. */
export const marker = Buffer.from('ATELIER1');
export const keyIdLength = 8;
const headerLength = marker.length + keyIdLength;
const ivLength = 12;
const tagLength = 16;

export const formatOf = (bytes: Uint8Array): Format =>
  marker.equals(Buffer.from(bytes).subarray(0, marker.length)) ? 'bound' : 'plain';

/** Returns the id of the key of a `bound` ciphertext. */
export const keyIdOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes).subarray(marker.length, headerLength);

/** @param owner the id without which a `bound` ciphertext cannot be decrypted */
export function encryptWith({ id, key }: EncryptionKey, text: string, owner: string, format: Format): Buffer {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const header = format === 'bound' ? Buffer.concat([marker, id]) : Buffer.alloc(0);
  if (format === 'bound') cipher.setAAD(associatedData(header, owner));
  return Buffer.concat([header, iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Error when the bytes were changed, or were encrypted with another key or for another owner */
export function decryptWith({ key }: EncryptionKey, bytes: Uint8Array, owner: string): string {
  const whole = Buffer.from(bytes);
  const header = whole.subarray(0, formatOf(bytes) === 'bound' ? headerLength : 0);
  const body = whole.subarray(header.length);
  // Without the length, a tag of a few bytes is accepted, which can be guessed.
  const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, ivLength), { authTagLength: tagLength });
  if (header.length > 0) decipher.setAAD(associatedData(header, owner));
  decipher.setAuthTag(body.subarray(-tagLength));
  return decipher.update(body.subarray(ivLength, -tagLength), undefined, 'utf8') + decipher.final('utf8');
}

/** Authenticates the header, too, so that a ciphertext cannot be given the id of another key. */
const associatedData = (header: Buffer, owner: string): Buffer => Buffer.concat([header, Buffer.from(owner)]);
