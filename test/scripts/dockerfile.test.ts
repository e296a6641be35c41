/** The files that the Dockerfile keeps in an image. Its command runs here on a copy of the project. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { testFolder } from './folder.ts';

const folder = testFolder();
const dockerfile = readFileSync('Dockerfile', 'utf8');

/** Returns the command that deletes files, in one line. */
function deletion(): string {
  const found = /^RUN (find \.(?:.*\\\n)*.* -delete)$/m.exec(dockerfile)?.[1];
  if (!found) throw new Error('The Dockerfile deletes no files');
  return found.replaceAll('\\\n', ' ');
}

test('keeps the data of the embedded engines, and nothing that lies beside it', () => {
  const tracked = execFileSync('git', ['ls-files', 'engines/local', 'store'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter((file) => !file.startsWith('engines/local/test/') && /\.(json|ts)$/.test(file));
  const stray = [
    'engines/local/keys.json',
    'engines/local/rules/keys.json',
    'engines/local/a/b.json',
    'store/dump.sql',
  ];
  for (const file of [...tracked, ...stray]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (existsSync(file)) cpSync(file, join(folder, file));
    else writeFileSync(join(folder, file), 'stray');
  }
  execFileSync('sh', ['-c', deletion()], { cwd: folder });
  const left = (file: string) => existsSync(join(folder, file));
  expect(tracked.filter((file) => !left(file))).toEqual([]);
  expect(stray.filter(left)).toEqual([]);
});

test('lets nothing into the image that is not listed, so no repository, settings or tests', () => {
  const lines = readFileSync('.dockerignore', 'utf8').split('\n');
  const [first, ...patterns] = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  const listed = patterns.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  expect(listed.filter((line) => /^[.*]|\*\*|^(test|docs|deploy)/.test(line))).toEqual(['.npmrc']);
  expect(readFileSync('.npmrc', 'utf8')).not.toMatch(/auth|token|password/i);
});
