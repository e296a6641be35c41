/** Receives the body of a request into memory, within its limits. */
import type { Request } from 'express';
import type { BodyLimit } from '../../schemas/body-limits.ts';
import { Problem } from '../../services/problem.ts';
import { sendContinue } from './body-headers.ts';
import type { Reserve } from './bytes-in-flight.ts';

/** Bytes for which memory is allocated before a body of unknown length arrives. */
const firstBytes = 4096;

/**
 * Returns the bytes of the body. Rejects before it reads a body that is announced as too large, otherwise at the first
 * byte that exceeds a limit. The caller must have checked the other headers.
 * @throws Problem `payload_too_large`, `validation_failed` for an incomplete body, or as `reserve`
 */
export async function receiveBody(request: Request, limit: BodyLimit, reserve: Reserve): Promise<Buffer> {
  const announced = Number(request.get('content-length') ?? 0);
  if (announced > limit.bytes) throw tooLarge(limit);
  reserve(announced);
  sendContinue(request);
  // One block of memory: in a list, a body of single bytes would take a hundred times its size.
  let body = Buffer.allocUnsafe(announced || firstBytes);
  let bytes = 0;
  for await (const piece of piecesOf(request)) {
    const end = bytes + piece.length;
    if (end > limit.bytes) throw tooLarge(limit);
    reserve(end);
    if (end > body.length) body = Buffer.concat([body], Math.max(end, 2 * body.length));
    piece.copy(body, bytes);
    bytes = end;
  }
  return body.subarray(0, bytes);
}

/** @throws Problem `validation_failed` when the client disconnects */
async function* piecesOf(request: Request): AsyncGenerator<Buffer> {
  try {
    // Destroying the request would close the connection before the error is sent.
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    const failure = { path: '', rule: 'body', message: 'could not be read completely' };
    throw new Problem('validation_failed', { fields: [failure] });
  }
}

function tooLarge({ bytes, text, remedy }: BodyLimit): Problem {
  const message = `The request body is larger than ${text} (${bytes} bytes). ${remedy}`;
  return new Problem('payload_too_large', { message });
}
