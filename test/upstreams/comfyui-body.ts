/** Bodies of requests to a fake ComfyUI: JSON, and the form of an upload. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';

export interface Upload {
  filename?: string;
  bytes?: Buffer;
  subfolder?: string;
  type?: string;
  /** Digest of the bytes, for tests. */
  sha256?: string;
}

export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type']?.startsWith('multipart/form-data')) return formOf(request);
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? null : JSON.parse(text);
}

function formOf(request: IncomingMessage): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload: Record<string, unknown> = {};
    const parser = busboy({ headers: request.headers });
    parser.on('field', (name, value) => void (upload[name] = value));
    parser.on('file', (_name, file, { filename }) => {
      const chunks: Buffer[] = [];
      file.on('data', (chunk: Buffer) => chunks.push(chunk));
      file.on('end', () => {
        const bytes = Buffer.concat(chunks);
        Object.assign(upload, { filename, bytes, sha256: createHash('sha256').update(bytes).digest('hex') });
      });
    });
    parser.on('close', () => resolve(upload));
    parser.on('error', reject);
    request.pipe(parser);
  });
}
