/** A setting that cannot work stops every process with one sentence, which names the variable. */
import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';

interface Stopped {
  code: number;
  stderr: string;
}

function start(entry: string, settings: NodeJS.ProcessEnv): Promise<Stopped> {
  const { NODE_OPTIONS: _ours, ...env } = process.env;
  const args = ['--disable-warning=ExperimentalWarning', entry];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env: { ...env, ...settings } }, (error, _stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stderr }),
    );
  });
}

test.each(['api/main.ts', 'workers/main.ts', 'operator/main.ts', 'scripts/migrate.ts'])('%s', async (entry) => {
  const message = 'ATELIER_RETENTION must be a duration such as 5s, 30m or 8 days, not "8".\n';
  expect(await start(entry, { ATELIER_RETENTION: '8' })).toEqual({ code: 1, stderr: message });
});

test.each([
  ['api/main.ts', 'ATELIER_PRICES', '/none.yaml', '/none.yaml cannot be read (ENOENT). Check ATELIER_PRICES.'],
  [
    'workers/main.ts',
    'ATELIER_ENGINES',
    '/none.json',
    '/none.json cannot be read (ENOENT). Check ATELIER_ENGINES or --file.',
  ],
])('%s with a file in %s that does not exist', async (entry, name, file, message) => {
  expect(await start(entry, { [name]: file })).toEqual({ code: 1, stderr: `${message}\n` });
});

test.each(['PORT', 'ATELIER_METRICS_PORT'])('api/main.ts with a %s that is in use', async (name) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { code, stderr } = await start('api/main.ts', { PORT: '0', [name]: String(port) });
  await new Promise((resolve) => server.close(resolve));
  expect(code).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`^[A-Z_ a-z]*${name}: cannot listen on 127.0.0.1:${port} \\(.*EADDRINUSE.*\\)\\.\\n$`),
  );
});

test.each([
  ['that cannot be created', '/dev/null/uploads', 'ENOTDIR'],
  ['that is a file', '/etc/hostname', 'EEXIST'],
  ['that cannot be written', '/proc', 'ENOENT'],
])('api/main.ts with a TMPDIR %s', async (_what, folder, code) => {
  const remedy = 'Set TMPDIR to a folder that this user can write, or free space in it.';
  const stderr = `TMPDIR: ${folder} cannot be written (${code}). ${remedy}\n`;
  expect(await start('api/main.ts', { TMPDIR: folder })).toEqual({ code: 1, stderr });
});
