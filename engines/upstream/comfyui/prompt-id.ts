/** The id of a ComfyUI job, made from our idempotency key, so that a repeated submission finds its job. */
import { createHash } from 'node:crypto';

/** Our own namespace. With another value, jobs that are running during the deploy would not be found. */
const namespace = Buffer.from('5b1f2e0c8a414a0f9f6d3c7be2a9d410', 'hex');

/** Returns a UUID (version 5) in canonical form, the only form that ComfyUI accepts. */
export function promptId(idempotencyKey: string): string {
  // UUIDs of version 5 are defined with SHA-1. It protects nothing here.
  // eslint-disable-next-line no-restricted-syntax
  const bytes = createHash('sha1').update(namespace).update(idempotencyKey).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
