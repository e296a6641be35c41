/** Receives the file of a request, from a multipart form or from the body itself, up to the size limit. */
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import busboy from 'busboy';
import type { Request } from 'express';
import { pauseDeadline } from '../../runtime/deadline.ts';
import { maxImageBytes } from '../../schemas/image.ts';
import { Problem } from '../../services/problem.ts';
import { refuseCompression, sendContinue } from './body-headers.ts';
import { makeUploadFolder, onTemporaryFolder } from './upload-folders.ts';

/** A file that is being uploaded. It is on disk, so that large uploads take no memory. */
export interface ReceivedFile {
  path: string;
  /** Number of bytes. */
  size: number;
  open(): Readable;
}

/**
 * Receives the file of a request into a temporary folder, which exists until `work` ends.
 * @param admit gets the size once: the announced size of the body before it is read, or that of the file if none is
 * announced; throws to reject the file
 * @throws Problem `payload_too_large`, `unsupported_media_type`, `validation_failed` without a complete file, or
 * `unavailable` when the temporary folder cannot be used
 */
export async function withFileBody<T>(
  request: Request,
  admit: (bytes: number) => Promise<void>,
  work: (file: ReceivedFile) => Promise<T>,
): Promise<T> {
  refuseCompression(request);
  const announced = Number(request.get('content-length') ?? NaN);
  if (announced > maxImageBytes + formOverhead) throw tooLarge();
  const isForm = Boolean(request.is('multipart/form-data'));
  if (!isForm && !request.is(['image/*', 'application/octet-stream'])) {
    const message = 'Send the file as multipart/form-data, or as the body with the content type of the image.';
    throw new Problem('unsupported_media_type', { message });
  }
  const isAnnounced = !Number.isNaN(announced);
  if (isAnnounced) await admit(announced);
  const folder = await makeUploadFolder();
  try {
    const path = join(folder, 'file');
    const receiveFile = () => (isForm ? receivePart(request, path) : receiveBody(request, path));
    sendContinue(request);
    const size = await pauseDeadline(receiveFile);
    if (size === 0 && !isForm) throw missing('the body is empty');
    if (!isAnnounced) await admit(size);
    return await work({ path, size, open: () => createReadStream(path) });
  } finally {
    // The next start of an API removes what is left.
    await rm(folder, { recursive: true, force: true }).catch((err: unknown) =>
      request.log.warn({ err, folder }, 'An upload folder was not removed'),
    );
  }
}

/** Maximum bytes of a form in addition to its file: boundaries, headers, other fields. */
const formOverhead = 64 * 1024;

/** Returns the number of bytes. */
async function receiveBody(request: Request, path: string): Promise<number> {
  try {
    return await receive(request, path);
  } catch (error) {
    // The only other error is that of a client that disconnects.
    throw error instanceof Problem ? error : missing('the body is incomplete');
  }
}

/** Returns the number of bytes of the form's file. */
async function receivePart(request: Request, path: string): Promise<number> {
  const form = openForm(request);
  let receiving: Promise<number> | undefined;
  const file = new Promise<number>((resolve, reject) => {
    form.once('file', (_name, stream) => {
      // The stream can also fail after it was read. Without a listener, the error would end the process.
      stream.on('error', () => undefined);
      receiving = receive(stream, path);
      receiving.then(resolve, reject);
    });
    // A form can fail more than once, so the listener stays.
    form.on('error', () => reject(missing('the form could not be read')));
    form.once('close', () => void (receiving ?? reject(missing('the form contains no file'))));
    request.once('close', () => request.complete || reject(missing('the form is incomplete')));
  });
  request.pipe(form);
  try {
    return await file;
  } finally {
    request.unpipe(form);
    // Ends the stream of the file. Otherwise, `receive` would wait for a client that is gone, with the file open.
    form.destroy();
    await receiving?.catch(() => undefined);
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

/** Returns the number of bytes. @throws Problem; the error of the stream */
async function receive(stream: Readable, path: string): Promise<number> {
  const file = await onTemporaryFolder('create', open(path, 'wx', 0o600));
  try {
    let bytes = 0;
    // Destroying the request would close the connection before the error is sent.
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      if (bytes > maxImageBytes) throw tooLarge();
      await onTemporaryFolder('write', file.writeFile(chunk));
    }
    return bytes;
  } finally {
    await onTemporaryFolder('close', file.close());
  }
}

const tooLarge = () => new Problem('payload_too_large', { message: 'The file is larger than 20 MB.' });

const missing = (reason: string) =>
  new Problem('validation_failed', {
    fields: [{ path: '', rule: 'file', message: `${reason}. Send one image file.` }],
  });
