/** Reads the file of a request, from a multipart form or from the body itself, up to the size limit. */
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { maxImageBytes } from '../../schemas/image.ts';
import { Problem } from '../../services/problem.ts';

/**
 * Returns the file.
 * @throws Problem `payload_too_large`, `unsupported_media_type`, or `validation_failed` without a file
 */
export async function readFileBody(request: Request): Promise<Buffer> {
  if (Number(request.get('content-length')) > maxImageBytes + formOverhead) throw tooLarge();
  if (request.is('multipart/form-data')) return readPart(request);
  if (!request.is(['image/*', 'application/octet-stream'])) {
    const message = 'Send the file as multipart/form-data, or as the body with the content type of the image.';
    throw new Problem('unsupported_media_type', { message });
  }
  const bytes = await collect(request);
  if (bytes.byteLength === 0) throw missing('the body is empty');
  return bytes;
}

/** Maximum bytes of a form in addition to its file: boundaries, headers, other fields. */
const formOverhead = 64 * 1024;

async function readPart(request: Request): Promise<Buffer> {
  const form = openForm(request);
  const file = new Promise<Buffer>((resolve, reject) => {
    let found = false;
    form.once('file', (_name, stream) => {
      found = true;
      // The stream can also fail after it was read. Without a listener, the error would end the process.
      stream.on('error', () => undefined);
      void collect(stream).then(resolve, reject);
    });
    // A form can fail more than once, so the listener stays.
    form.on('error', () => reject(missing('the form could not be read')));
    form.once('close', () => found || reject(missing('the form contains no file')));
    request.once('close', () => request.complete || reject(missing('the form is incomplete')));
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
    return busboy({
      headers: request.headers,
      limits: { files: 1, fields: 20, parts: 21, fileSize: maxImageBytes + 1 },
    });
  } catch {
    throw missing('the form has no boundary');
  }
}

async function collect(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Destroying the request would close the connection before the error is sent.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxImageBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const tooLarge = () => new Problem('payload_too_large', { message: 'The file is larger than 20 MB.' });

const missing = (reason: string) =>
  new Problem('validation_failed', {
    fields: [{ path: '', rule: 'file', message: `${reason}. Send one image file.` }],
  });
