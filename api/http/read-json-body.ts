/** Reads and parses the JSON body of a request, within limits on its bytes, its number of values and its depth. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import express, { type Request, type Response } from 'express';
import { checkShape } from '../../services/body-checks.ts';
import { Problem } from '../../services/problem.ts';
import { checkStructure } from './json-structure.ts';

/** Maximum bytes of a decompressed body. */
const maxBodyBytes = 30 * 1024 * 1024;

const parseJson = promisify(
  express.json({
    limit: maxBodyBytes,
    strict: false,
    type: ['json', '+json'],
    // The parser would replace invalid UTF-8 with U+FFFD, which would change a prompt.
    verify: (_request, _response, bytes, encoding) => {
      const isText = encoding === 'utf-8' && isUtf8(bytes);
      const failure = isText ? checkStructure(bytes) : { path: '', rule: 'utf8', message: 'is not valid UTF-8' };
      if (failure) throw new Problem('validation_failed', { fields: [failure] });
    },
  }),
);

/**
 * Returns the parsed body, not yet validated.
 * @param isOptional whether a missing body counts as `{}`
 * @throws Problem `validation_failed`, `unsupported_media_type` or `payload_too_large`; body-parser's own errors
 */
export async function readJsonBody(request: Request, response: Response, isOptional = false): Promise<unknown> {
  const isEmpty = request.get('transfer-encoding') === undefined && !Number(request.get('content-length') ?? 0);
  if (isEmpty && isOptional) return {};
  if (!isEmpty && !request.is(['json', '+json'])) throw new Problem('unsupported_media_type');
  if (isEmpty) {
    const message = 'is missing. Send a JSON object.';
    throw new Problem('validation_failed', { fields: [{ path: '', rule: 'required', message }] });
  }
  if (Number(request.get('content-length')) > maxBodyBytes) throw new Problem('payload_too_large');
  await Promise.race([parseJson(request, response), rejectWhenTooLarge(request)]);
  const body = request.body as unknown;
  const failure = checkShape(body);
  if (failure) throw new Problem('validation_failed', { fields: [failure] });
  return body;
}

/** Rejects at the first byte over the limit. The parser would read to the end before it fails. */
function rejectWhenTooLarge(request: Request): Promise<never> {
  let bytes = 0;
  return new Promise((_resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBodyBytes) reject(new Problem('payload_too_large'));
    });
  });
}
