/** The check of a file store: which step it names, and what it leaves behind. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { onFreePorts } from '../../scripts/local/ports.ts';
import { checkFiles } from '../../store/check-files.ts';
import type { Files } from '../../store/files.ts';
import { openFolder } from '../../store/files/folder.ts';
import { FilesUnavailable } from '../../store/files/unavailable.ts';

jest.setTimeout(20_000);

let folder: string;
let files: Files;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-check-'));
  files = openFolder(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Checks a folder whose presigned URLs a server of the test delivers. */
async function checkWith(respond: RequestListener): Promise<void> {
  const { started: server, ports } = await onFreePorts([27080], '127.0.0.1', async ([port = 0]) => {
    const server = createServer(respond);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return server;
  });
  try {
    const url = `http://127.0.0.1:${ports[0]}/`;
    await checkFiles({ ...files, presign: () => Promise.resolve(url) }, fetch);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test('succeeds, and removes what it wrote', async () => {
  await checkFiles(files, fetch);
  expect(await readdir(folder)).toEqual([]);
});

test('names the presigned URL that does not respond, and removes what it wrote', async () => {
  const began = performance.now();
  await expect(checkWith(() => {})).rejects.toThrow('presigned URL failed: no response in time');
  expect(performance.now() - began).toBeLessThan(8000);
  expect(await readdir(folder)).toEqual([]);
});

test('names the presigned URL that is refused or delivers something else', async () => {
  await expect(checkWith((_request, response) => response.writeHead(403).end())).rejects.toThrow('status 403');
  await expect(checkWith((_request, response) => response.end('other'))).rejects.toThrow('what was written');
  expect(await readdir(folder)).toEqual([]);
});

test('fails when the store cannot write streams, and removes what it wrote', async () => {
  const noStreams: Files = {
    ...files,
    write: (owner, name, content) =>
      content instanceof Uint8Array
        ? files.write(owner, name, content)
        : Promise.reject(new FilesUnavailable('write failed (NotImplemented 501)', null)),
  };
  await expect(checkFiles(noStreams, fetch)).rejects.toThrow('write failed (NotImplemented 501)');
  expect(await readdir(folder)).toEqual([]);
});
