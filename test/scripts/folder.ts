/** Creates a temporary folder for a test file, and removes it after the tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-scripts-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
