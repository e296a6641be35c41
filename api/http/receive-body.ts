/** Receives the body of a request into memory, within its limits. */
import type { Request } from 'express';
import type { BodyLimit } from '../../schemas/body-limits.ts';
import { invalidRequest, Problem } from '../../services/problem.ts';
import { sendContinue } from './body-headers.ts';
import type { Reserve } from './bytes-in-flight.ts';

/** Bytes for which memory is allocated before a body of unknown length arrives. */
const firstBytes = 4096;

/**
 * Returns the bytes of the body. Rejects before it reads a body that is announced as too large, otherwise at the first
 * byte that exceeds a limit. The caller must have checked the other headers.
 * @throws Problem `payload_too_large`, `validation_failed` for a body that is incomplete or too slow, or as `reserve`
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
    if (end > body.length) body = Buffer.concat([body], Math.min(limit.bytes, Math.max(end, 2 * body.length)));
    piece.copy(body, bytes);
    bytes = end;
  }
  return body.subarray(0, bytes);
}

/** Milliseconds in which at least `leastBytes` of a body must arrive, because its bytes are reserved meanwhile. */
const window = 30_000;
const leastBytes = 16 * 1024;

/** @throws Problem `validation_failed` when the client disconnects or sends too slowly */
async function* piecesOf(request: Request): AsyncGenerator<Buffer> {
  // Destroying the request would close the connection before the error is sent.
  const pieces = request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer, undefined>;
  let arrived = 0;
  let giveUp: (reason: Problem) => void = () => undefined;
  const timer = setInterval(() => {
    if (arrived < leastBytes) giveUp(invalid('timeout', 'arrives too slowly. Send at least 16 KB every 30 seconds.'));
    arrived = 0;
  }, window);
  // A promise for each piece: one for all of them would keep all pieces in memory.
  const nextPiece = () =>
    new Promise<IteratorResult<Buffer>>((resolve, reject) => {
      giveUp = reject;
      pieces.next().then(resolve, reject);
    });
  try {
    for (let piece = await nextPiece(); piece.done !== true; piece = await nextPiece()) {
      arrived += piece.value.length;
      yield piece.value;
    }
  } catch (error) {
    throw error instanceof Problem ? error : invalid('body', 'could not be read completely');
  } finally {
    clearInterval(timer);
    // The rest of a rejected body flows again only without this iterator.
    void pieces.return?.().catch(() => undefined);
  }
}

const invalid = (rule: string, message: string) => invalidRequest({ path: '', rule, message });

function tooLarge({ bytes, text, remedy }: BodyLimit): Problem {
  const message = `The request body is larger than ${text} (${bytes} bytes). ${remedy}`;
  return new Problem('payload_too_large', { message });
}
