/** The id that a job has at ComfyUI: made from our key, so that a submit repeated after a crash finds its job. */
import { createHash } from 'node:crypto';

/** Ours alone. Another one would lose sight of the jobs that run now. */
const namespace = Buffer.from('5b1f2e0c8a414a0f9f6d3c7be2a9d410', 'hex');

/** @returns a UUID (version 5) in the canonical form, the only one that ComfyUI takes */
export function promptId(idempotencyKey: string): string {
  const bytes = createHash('sha1').update(namespace).update(idempotencyKey).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
