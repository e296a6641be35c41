/** Files in a bucket of an S3-compatible store: one object `prefix/owner/name` for each file. */
import { addAbortSignal, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { within } from '../../runtime/deadline.ts';
import type { FilesLocation } from '../../runtime/files-location.ts';
import { lowestRate } from '../../runtime/timeouts.ts';
import type { Files, Presentation } from '../files.ts';
import { emptyPrefix } from './empty-prefix.ts';
import { checkName } from './name.ts';
import { put } from './put.ts';
import { checkClient, createClient, isMissing, toUnavailable } from './s3-client.ts';

/** Milliseconds without progress before a download fails. Long, because the client that receives it may be slow. */
const downloadIdleTimeout = 30_000;

/**
 * Opens a bucket without contacting it.
 * @param timeout milliseconds that a request may take, without the transfer of its bytes
 * @throws StartupError that names the variable to set when the region, the credentials or the endpoint are not valid
 */
export async function openBucket(
  { bucket: Bucket, prefix, pathStyle }: Extract<FilesLocation, { kind: 's3' }>,
  timeout: number,
): Promise<Files> {
  const client = createClient({ pathStyle, idleTimeout: timeout });
  const downloads = createClient({ pathStyle, idleTimeout: downloadIdleTimeout });
  const keyOf = (...names: string[]) => [...(prefix === '' ? [] : [prefix]), ...names.map(checkName)].join('/');
  const at = (owner: string, name: string) => ({ Bucket, Key: keyOf(owner, name) });

  const open = async (reader: S3Client, file: { Bucket: string; Key: string; Range?: string }, signal: AbortSignal) => {
    const { Body, ContentLength: size = 0 } = await reader.send(new GetObjectCommand(file), { abortSignal: signal });
    if (!(Body instanceof Readable)) throw new TypeError('The SDK returned no stream');
    return { body: Body, size };
  };
  const sign = (owner: string, name: string, { contentType, disposition, expiresIn }: Presentation) => {
    const response = { ResponseContentType: contentType, ResponseContentDisposition: disposition };
    const cached = { ResponseCacheControl: `private, max-age=${expiresIn}, immutable` };
    const command = new GetObjectCommand({ ...at(owner, name), ...response, ...cached });
    return getSignedUrl(client, command, { expiresIn });
  };
  const signExample = () => sign('a', 'a', { contentType: 'image/png', disposition: 'inline', expiresIn: 1 });
  await checkClient(client, signExample);

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
      const found = await reported('read', () => orNull(within(timeout, (signal) => open(downloads, file, signal))));
      return found && found.body;
    },
    async load(owner, name) {
      const file = at(owner, name);
      const read = async () => {
        const { body, size } = await within(timeout, (signal) => open(client, file, signal));
        // A body that trickles never reaches the timeout of an idle socket.
        return within(timeout + size / lowestRate, (signal) => buffer(addAbortSignal(signal, body)));
      };
      return reported('read', () => orNull(read()));
    },
    async size(owner, name) {
      const { Key } = at(owner, name);
      const head = new HeadObjectCommand({ Bucket, Key });
      // The response to HEAD has no body, so it does not tell a missing object from a missing bucket. This one does.
      const list = new ListObjectsV2Command({ Bucket, Prefix: Key, MaxKeys: 1 });
      return reported('read', async () => {
        const found = await orNull(within(timeout, (abortSignal) => client.send(head, { abortSignal })));
        if (found === null) await within(timeout, (abortSignal) => client.send(list, { abortSignal }));
        return found?.ContentLength ?? null;
      });
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
    // Object storage has no limit that a client can read.
    checkSpace: () => Promise.resolve(),
    presign: (owner, name, presentation) => reported('presign', () => sign(owner, name, presentation)),
    origin: new URL(await signExample()).origin,
  };
}

/**
 * @throws FilesUnavailable for every failure of the store, including refusals, which an operator can repair; SourceError;
 * errors of this code
 */
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
