/** Writes one object of a bucket, from memory or from a stream. */
import { PutObjectCommand, type PutObjectCommandInput, type S3Client } from '@aws-sdk/client-s3';
import type { Content } from '../files.ts';
import { sendSource, SourceError } from './source.ts';

/** The SDK repeats requests with bytes by itself, but cannot repeat one whose stream is partly read. */
const streamAttempts = 2;

/**
 * Sends the object in one PUT request.
 * @throws SourceError when the content cannot be read; otherwise the SDK's error
 */
export async function put(
  client: S3Client,
  object: PutObjectCommandInput,
  content: Uint8Array | Content,
  abortSignal: AbortSignal,
): Promise<void> {
  const send = (Body: NonNullable<PutObjectCommandInput['Body']>, signal: AbortSignal) =>
    client.send(new PutObjectCommand({ ...object, Body }), { abortSignal: signal });
  if (content instanceof Uint8Array) return void (await send(content, abortSignal));
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await sendSource(content, (body, failed) => send(body, AbortSignal.any([abortSignal, failed]))));
    } catch (error) {
      if (error instanceof SourceError || abortSignal.aborted || attempt === streamAttempts) throw error;
    }
  }
}
