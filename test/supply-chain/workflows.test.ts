/** The workflows of CI run only actions at a fixed commit, with the permission to read. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

const folder = '.github/workflows';

test.each(readdirSync(folder))('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const uses = [...text.matchAll(/uses: (.+)/g)].map(([, action]) => action);
  expect(uses.length).toBeGreaterThan(0);
  for (const action of uses) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  expect(parse(text)).toMatchObject({ permissions: { contents: 'read' } });
});
