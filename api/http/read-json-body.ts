/** Reads and parses the JSON body of a request, within limits on its bytes, its number of values and its depth. */
import { isUtf8 } from 'node:buffer';
import { MIMEType } from 'node:util';
import type { Request } from 'express';
import type { BodyLimit } from '../../schemas/body-limits.ts';
import { checkShape } from '../../services/body-checks.ts';
import { invalidRequest, Problem } from '../../services/problem.ts';
import { refuseCompression } from './body-headers.ts';
import type { Reserve } from './bytes-in-flight.ts';
import { checkStructure } from './json-structure.ts';
import { receiveBody } from './receive-body.ts';

export interface BodyOptions {
  limit: BodyLimit;
  /** Reserves the bytes of the body, which its strings take until the request has used them. */
  reserve: Reserve;
  /** Whether a missing body counts as `{}`. */
  isOptional?: boolean | undefined;
}

/**
 * Returns the parsed body, not yet validated.
 * @throws Problem `validation_failed`, `unsupported_media_type`, `payload_too_large`, or as `reserve`
 */
export async function readJsonBody(request: Request, { limit, reserve, isOptional }: BodyOptions): Promise<unknown> {
  const isEmpty = request.get('transfer-encoding') === undefined && !Number(request.get('content-length') ?? 0);
  if (isEmpty && isOptional) return {};
  if (isEmpty) throw invalidRequest({ path: '', rule: 'required', message: 'is missing. Send a JSON object.' });
  refuseCompression(request);
  refuseMediaType(request);
  const body = parse(await receiveBody(request, limit, reserve));
  const failure = checkShape(body);
  if (failure) throw invalidRequest(failure);
  return body;
}

/** Maximum characters of a media type. `MIMEType` takes quadratic time for its spaces. */
const longestType = 256;

/** @throws Problem `unsupported_media_type` for anything but JSON in UTF-8 */
function refuseMediaType(request: Request): void {
  const type = request.get('content-type') ?? '';
  if (type.length > longestType || !request.is(['json', '+json'])) throw new Problem('unsupported_media_type');
  const charset = new MIMEType(type).params.get('charset') ?? 'utf-8';
  if (charset.toLowerCase() === 'utf-8') return;
  throw new Problem('unsupported_media_type', {
    message: 'This charset is not supported. Send the body in UTF-8.',
  });
}

/** @throws Problem `validation_failed` */
function parse(bytes: Buffer): unknown {
  // The decoder would replace invalid UTF-8 with U+FFFD, which would change a prompt.
  if (!isUtf8(bytes)) throw invalidRequest({ path: '', rule: 'utf8', message: 'is not valid UTF-8' });
  const failure = checkStructure(bytes);
  if (failure) throw invalidRequest(failure);
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as unknown;
  } catch {
    throw invalidRequest({ path: '', rule: 'json', message: 'is not valid JSON' });
  }
}
