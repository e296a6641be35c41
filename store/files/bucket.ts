/** Files in a bucket of an S3-compatible store: one object `prefix/owner/name` for each file. */
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { FilesLocation } from '../../runtime/files-location.ts';
import type { Files } from '../files.ts';
import { within } from './deadline.ts';
import { emptyPrefix } from './empty-prefix.ts';
import { put } from './put.ts';
import { checkClient, createClient, isMissing, toUnavailable } from './s3-client.ts';

/** Milliseconds without progress before a download fails: the client that receives it may be slow. */
const downloadIdleTimeout = 30_000;

/** Bytes per millisecond below which a transfer counts as failed. */
const lowestRate = 4000;

/**
 * Opens a bucket without contacting it.
 * @param timeout milliseconds that a request may take, without the transfer of its bytes
 * @throws StartupError that names the variable to set when the region or the credentials are missing
 */
export async function openBucket(
  { bucket: Bucket, prefix, pathStyle }: Extract<FilesLocation, { kind: 's3' }>,
  timeout: number,
): Promise<Files> {
  const client = createClient({ pathStyle, idleTimeout: timeout });
  const downloads = createClient({ pathStyle, idleTimeout: downloadIdleTimeout });
  await checkClient(client);
  const keyOf = (...names: string[]) => [...(prefix === '' ? [] : [prefix]), ...names.map(safe)].join('/');
  const at = (owner: string, name: string) => ({ Bucket, Key: keyOf(owner, name) });

  const open = async (reader: S3Client, file: { Bucket: string; Key: string; Range?: string }, signal: AbortSignal) => {
    const { Body } = await reader.send(new GetObjectCommand(file), { abortSignal: signal });
    if (!(Body instanceof Readable)) throw new TypeError('The SDK returned no stream');
    return Body;
  };
  const presign: Files['presign'] = async (owner, name, { contentType, disposition, expiresIn }) => {
    const response = { ResponseContentType: contentType, ResponseContentDisposition: disposition };
    const cached = { ResponseCacheControl: `private, max-age=${expiresIn}, immutable` };
    const command = new GetObjectCommand({ ...at(owner, name), ...response, ...cached });
    return reported('presign', () => getSignedUrl(client, command, { expiresIn }));
  };

  return {
    async write(owner, name, content) {
      const file = at(owner, name);
      const size = content instanceof Uint8Array ? content.byteLength : content.size;
      const deadline = timeout + size / lowestRate;
      await reported('write', () =>
        within(deadline, (signal) => put(client, { ...file, ContentLength: size }, content, signal)),
      );
    },
    async read(owner, name, range) {
      const file = { ...at(owner, name), ...(range && { Range: `bytes=${range.start}-${range.end}` }) };
      // The deadline ends with the headers, because the client that receives the bytes may be slow.
      return reported('read', () => orNull(within(timeout, (signal) => open(downloads, file, signal))));
    },
    async load(owner, name) {
      const file = at(owner, name);
      const read = async () => {
        const body = await within(timeout, (signal) => open(client, file, signal));
        return buffer(body);
      };
      return reported('read', () => orNull(read()));
    },
    async size(owner, name) {
      const command = new HeadObjectCommand(at(owner, name));
      const head = () => orNull(within(timeout, (abortSignal) => client.send(command, { abortSignal })));
      return (await reported('read', head))?.ContentLength ?? null;
    },
    async delete(owner, name) {
      const command = new DeleteObjectCommand(at(owner, name));
      await reported('delete', () => within(timeout, (abortSignal) => client.send(command, { abortSignal })));
    },
    async remove(owner) {
      // The slash keeps art_3 from removing art_33.
      const place = { bucket: Bucket, prefix: `${keyOf(owner)}/`, timeout };
      await reported('remove', () => emptyPrefix(client, place));
    },
    presign,
    origin: originOf(await presign('a', 'a', { contentType: 'image/png', disposition: 'inline', expiresIn: 1 })),
  };
}

function safe(name: string): string {
  if (!/^(?!\.)[\w.-]+$/.test(name)) throw new Error('Not the name of a file');
  return name;
}

const originOf = (url: string | null): string | null => url && new URL(url).origin;

/** @throws FilesUnavailable for every failure of the store, including refusals: an operator can repair those */
async function reported<T>(step: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toUnavailable(step, error);
  }
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
