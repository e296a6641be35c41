/** Reads the one file of a request, as a part of a multipart form or as the body itself, and no more than its limit. */
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { mostBytes } from '../../schemas/image.ts';
import { Problem } from '../../services/problem.ts';

/** @throws Problem 413, 415, or 400 when there is no file */
export async function readFileBody(request: Request): Promise<Buffer> {
  if (Number(request.get('content-length')) > mostBytes + formOverhead) throw tooLarge();
  if (request.is('multipart/form-data')) return readPart(request);
  if (!request.is(['image/*', 'application/octet-stream'])) {
    const message = 'Send the file as multipart/form-data, or as the body with its image type.';
    throw new Problem('unsupported_media_type', { message });
  }
  const bytes = await collect(request);
  if (bytes.byteLength === 0) throw missing('the body is empty');
  return bytes;
}

/** Bytes of a form beside its file: boundaries, headers, other fields. */
const formOverhead = 64 * 1024;

async function readPart(request: Request): Promise<Buffer> {
  const form = openForm(request);
  const file = new Promise<Buffer>((resolve, reject) => {
    let found = false;
    form.once('file', (_name, stream) => {
      found = true;
      // Heard when it breaks off after it was read, too.
      stream.on('error', () => undefined);
      void collect(stream).then(resolve, reject);
    });
    // A form can break more than once, and an error that nobody hears ends the process.
    form.on('error', () => reject(missing('the form could not be read')));
    form.once('close', () => found || reject(missing('the form holds no file')));
    request.once('close', () => request.complete || reject(missing('the form ended too early')));
  });
  request.pipe(form);
  try {
    return await file;
  } finally {
    request.unpipe(form);
  }
}

function openForm(request: Request): busboy.Busboy {
  try {
    return busboy({ headers: request.headers, limits: { files: 1, fields: 20, parts: 21, fileSize: mostBytes + 1 } });
  } catch {
    throw missing('the form has no boundary');
  }
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // A request that is given up in the middle still has to carry its answer.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > mostBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () => new Problem('payload_too_large', { message: 'The file is larger than 20 MB.' });

const missing = (why: string) =>
  new Problem('validation_failed', { fields: [{ path: '', rule: 'file', message: `${why}. Send one image file.` }] });
