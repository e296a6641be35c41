/** Checks that a file store works: writes, reads and removes test files, from memory and from a stream. */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { within } from '../runtime/deadline.ts';
import type { Files } from './files.ts';

/** Returns the response to a GET request. */
export type FetchUrl = (url: string, options: { signal: AbortSignal }) => Promise<Response>;

/** Milliseconds for the response to a presigned URL and its body. */
const fetchTimeout = 5000;

/** @throws FilesUnavailable, or Error, whose message names the step that failed */
export async function checkFiles(files: Files, fetchUrl: FetchUrl): Promise<void> {
  const owner = `check_${randomBytes(8).toString('hex')}`;
  try {
    await checkOwner(files, owner, fetchUrl);
  } catch (error) {
    // The first failure says more than one of the removal.
    await files.remove(owner).catch(() => undefined);
    throw error;
  }
}

async function checkOwner(files: Files, owner: string, fetchUrl: FetchUrl): Promise<void> {
  const bytes = randomBytes(16);
  await files.write(owner, 'memory.png', bytes);
  await files.write(owner, 'stream.png', { open: () => Readable.from([bytes]), size: bytes.byteLength });
  for (const name of ['memory.png', 'stream.png']) {
    const loaded = await files.load(owner, name);
    if (!loaded || !bytes.equals(loaded)) throw new Error('read failed: the store did not return what was written.');
  }
  if ((await files.load(owner, 'missing.png')) !== null)
    throw new Error('read failed: the store returned a file that was never written.');
  const presentation = { contentType: 'image/png', disposition: 'inline', expiresIn: 60 };
  const url = await files.presign(owner, 'stream.png', presentation);
  if (url !== null) await checkUrl(url, bytes, fetchUrl);
  await files.remove(owner);
  if ((await files.load(owner, 'memory.png')) !== null)
    throw new Error('remove failed: the store still has the test files.');
}

async function checkUrl(url: string, bytes: Buffer, fetchUrl: FetchUrl): Promise<void> {
  const read = async (signal: AbortSignal) => {
    const response = await fetchUrl(url, { signal });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  };
  // The message of the error may contain the URL.
  const { status, body } = await within(fetchTimeout, read).catch((error: unknown) => {
    const isLate = typeof error === 'object' && error !== null && 'name' in error && error.name === 'TimeoutError';
    const reason = isLate ? 'no response in time' : 'no connection';
    throw new Error(`presigned URL failed: ${reason}. Clients must reach the store at the address of the endpoint.`);
  });
  if (status !== 200) throw new Error(`presigned URL failed: status ${status} instead of 200.`);
  if (!bytes.equals(body)) throw new Error('presigned URL failed: the store did not return what was written.');
}
