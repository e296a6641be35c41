/** The pool of threads: aborted calls do not end the process. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';

jest.setTimeout(120_000);

test('calls that are aborted during inference, and a pool that closes during one, leave the process alive', async () => {
  const script = fileURLToPath(new URL('./aborting-calls.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(stdout).toMatch(/^((TimeoutError|completed)\n){5}closed\n$/);
});
