/** The streams that are written to a store of files. Their failures are kept apart from those of the store. */
import { once } from 'node:events';
import { finished, PassThrough, type Readable } from 'node:stream';
import type { Content } from '../files.ts';

/** The content of a write could not be read. Its cause is the error of the stream. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
  constructor(cause: unknown) {
    super('The content of a file could not be read', { cause });
  }
}

/** Yields the content. @throws SourceError when it cannot be read to its end */
export async function* readSource(content: Content): AsyncGenerator<Uint8Array> {
  const source: AsyncIterable<Uint8Array> = content.open();
  try {
    yield* source;
  } catch (error) {
    throw new SourceError(error);
  }
}

/**
 * Opens the content, and calls `send` with it once its first bytes are there. The stream that `send` reads never fails,
 * because libraries may wrap it in streams whose errors nobody handles: when the content cannot be read to its end, the
 * signal aborts and the stream stays incomplete.
 * @throws SourceError without waiting for `send`, or the error of `send`
 */
export async function sendSource<T>(
  content: Content,
  send: (body: Readable, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const source = content.open();
  const body = new PassThrough();
  const controller = new AbortController();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // Its listeners stay, so a late error does not end the process.
  finished(source, { writable: false }, (error) => {
    if (!error) return;
    const failure = new SourceError(error);
    reject(failure);
    controller.abort(failure);
  });
  const sending = async () => {
    await once(body, 'readable', { signal: controller.signal });
    return send(body, controller.signal);
  };
  try {
    source.pipe(body);
    return await Promise.race([failed, sending()]);
  } finally {
    source.destroy();
    body.destroy();
  }
}
