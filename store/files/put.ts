/** Writes one object of a bucket, from memory or from a stream. */
import { PutObjectCommand, type PutObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';
import type { Content } from '../files.ts';

/** The SDK repeats requests with bytes by itself, but cannot repeat one whose stream is partly read. */
const streamAttempts = 2;

export async function put(
  client: S3Client,
  object: PutObjectCommandInput,
  content: Uint8Array | Content,
  abortSignal: AbortSignal,
): Promise<void> {
  const send = (Body: NonNullable<PutObjectCommandInput['Body']>) =>
    client.send(new PutObjectCommand({ ...object, Body }), { abortSignal });
  if (content instanceof Uint8Array) return void (await send(content));
  for (let attempt = 1; ; attempt++) {
    const stream = content.open();
    // Without a listener, an error after the end of the request would end the process.
    stream.on('error', () => undefined);
    try {
      return void (await send(stream));
    } catch (error) {
      if (abortSignal.aborted || stream.errored || attempt === streamAttempts) throw error;
    } finally {
      stream.destroy();
    }
  }
}
