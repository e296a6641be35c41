/** Programs that Go builds. Needs Go. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { buildGoProgram } from '../../scripts/local/go-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'atelier-go-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('Go gets the given environment, and a failed build leaves nothing, not even its lock', async () => {
  const build = () =>
    buildGoProgram({
      label: 'nothing',
      source: 'example.invalid/nothing@v1.0.0',
      file: join(folder, 'nothing-1.0.0', 'nothing'),
      env: { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off' },
      signal: AbortSignal.timeout(20_000),
    });
  for (let times = 0; times < 2; times++) await expect(build()).rejects.toThrow('GOPROXY=off');
  expect(readdirSync(folder)).toEqual([]);
});
