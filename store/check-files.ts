/** Checks that a store of files works: writes, reads and removes a test file, as the service does. */
import { randomBytes } from 'node:crypto';
import type { Files } from './files.ts';

/** @throws FilesUnavailable, or Error, whose message names the step that failed */
export async function checkFiles(files: Files, fetchUrl: (url: string) => Promise<Response>): Promise<void> {
  const owner = `check_${randomBytes(8).toString('hex')}`;
  const [name, bytes] = ['a.png', randomBytes(16)];
  await files.write(owner, name, bytes);
  const missing = await files.load(owner, 'missing.png');
  const loaded = await files.load(owner, name);
  if (missing !== null || !loaded || !bytes.equals(loaded))
    throw new Error('The store did not return what was written.');
  const url = await files.presign(owner, name, { contentType: 'image/png', disposition: 'inline', expiresIn: 60 });
  const status = url === null ? 200 : (await fetchUrl(url)).status;
  await files.remove(owner);
  if ((await files.load(owner, name)) !== null) throw new Error('The store did not remove the test file.');
  if (status !== 200) throw new Error(`A presigned URL returned ${status} instead of 200.`);
}
