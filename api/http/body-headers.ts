/** Handles the headers that announce a body, before any of it is read. */
import type { Request } from 'express';
import { Problem } from '../../services/problem.ts';

/**
 * Rejects compressed bodies: 68 bytes of brotli expand to 29 MB.
 * @throws Problem `unsupported_media_type`
 */
export function refuseCompression(request: Request): void {
  const encoding = request.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  const message = 'Compressed request bodies are not supported. Send the body uncompressed, without Content-Encoding.';
  throw new Problem('unsupported_media_type', { message });
}

/**
 * Sends 100 Continue if the client waits for it before it sends the body (`Expect: 100-continue`). If the client gets
 * an error instead, it need not send the body, and Node closes the connection.
 */
export function sendContinue({ headers, httpVersion, res }: Request): void {
  if (httpVersion === '1.1' && /\b100-continue\b/i.test(headers.expect ?? '')) res?.writeContinue();
}
