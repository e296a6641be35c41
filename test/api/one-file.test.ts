/** One file adds an operation: route, validation, documentation, listing, and a finished artwork. A broken file stops the start. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { call, create, ended } from '../support/client.ts';
import { type Contract, readContract } from '../support/contract.ts';
import { expectProblem, rules } from '../support/problem.ts';
import { startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
/** Folders that the copy of the project does not need. */
const notCopied = ['node_modules', '.git', 'test', 'bench', 'docs'];

/** The minimal operation that CONTRIBUTING.md tells newcomers to copy. */
const stamp = readFileSync(join(project, 'schemas/examples/artworks/stamp.ts'), 'utf8');

let root: string;
let operations: string;
let stack: Stack;
let contract: Contract;
let reasons: Promise<string[]> | undefined;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'atelier-one-file-'));
  const names = await readdir(project);
  for (const name of names.filter((one) => !notCopied.includes(one) && !one.startsWith('.'))) {
    await cp(join(project, name), join(root, name), { recursive: true });
  }
  await symlink(join(project, 'node_modules'), join(root, 'node_modules'));
  operations = join(root, 'schemas/operations/artworks');
  await writeFile(join(operations, 'stamp.ts'), stamp);
  stack = await startSharedStack({ root });
  contract = await readContract(stack.baseUrl);
});
afterAll(async () => {
  await stack.stop();
  await rm(root, { recursive: true });
});

test('creates artworks', async () => {
  const { id } = await create(stack, { prompt: 'a fox' }, 'stamp');
  expect(await ended(stack, id)).toMatchObject({
    status: 'SUCCEEDED',
    operation: 'stamp',
    input: { prompt: 'a fox', style: 'airmail', seed: expect.any(Number) },
    images: [{ width: 256, height: 256 }],
  });
});

test('validates its requests', async () => {
  const body = { prompt: '', style: 'oil', width: 256 };
  const response = await call(`${stack.baseUrl}/v2/artworks/stamp`, { method: 'POST', key: stack.adminKey, body });
  expect(rules(expectProblem(response, 'validation_failed'))).toEqual([
    '/prompt minLength',
    '/style enum',
    '/width additionalProperties',
  ]);
  expectProblem(await call(`${stack.baseUrl}/v2/artworks/stamp`, { method: 'POST', body }), 'invalid_api_key');
});

test('is listed, documented, and named among the routes', async () => {
  const styles = await call(`${stack.baseUrl}/v2/artworks/stamp/styles`, { key: stack.adminKey });
  expect(styles.body).toMatchObject({ family: 'stamp', styles: [{ id: 'airmail' }] });
  contract.check('GET', '/v2/artworks/stamp/styles', styles);
  expect(contract.document.paths['/v2/artworks/stamp']).toMatchObject({
    post: { summary: 'Text to image, as a stamp.' },
  });
  const { body } = await call<{ routes: { path: string }[] }>(`${stack.baseUrl}/`);
  expect(body.routes.filter(({ path }) => path.includes('/stamp'))).toEqual([
    {
      method: 'POST',
      path: '/v2/artworks/stamp',
      scope: 'generator',
      domain: 'artworks-internal',
      summary: 'Text to image, as a stamp.',
    },
    {
      method: 'GET',
      path: '/v2/artworks/stamp/styles',
      scope: 'generator',
      domain: 'artworks-internal',
      summary: 'The styles of stamp.',
    },
  ]);
});

const broken: [name: string, source: string, reason: string][] = [
  ['no operation', 'export const other = 1;', 'it does not export "operation"'],
  ['half an operation', `export const operation = { name: 'broken' };`, 'its operation lacks domain'],
  ['bad syntax', 'export const operation = ', ''],
  ['an error', `throw new Error('too early');`, 'too early'],
  ['the name of another', stamp, 'stamp.ts'],
  ['a bad name', stamp.replace(`name: 'stamp'`, `name: 'my stamp'`), '"my stamp"'],
  ['an unknown domain', stamp.replace(`'artworks-internal'`, `'artworks'`), '"artworks" is not a domain'],
  ['an invalid example', stamp.replace(`example: { prompt`, `example: { promt`), '/prompt is required'],
  ['an invalid schema', stamp.replace(`prompt: fields.prompt`, `prompt: { type: 'text' }`), 'type'],
  ['a plan that fails', stamp.replace(`prompt,\n    stages`, `prompt: prompt.oops.oops,\n    stages`), 'oops'],
  [
    'a reference to no earlier call',
    stamp.replace(`\n              prompt,`, `\n              prompt: { $textOf: 'nowhere' },`),
    '"nowhere"',
  ],
];

/**
 * Adds the files one after another, in one process, which loads the other operations only once.
 * Returns why `findOperations` of the copy rejects it.
 */
async function findReasons(): Promise<string[]> {
  const find = `import { rm, writeFile } from 'node:fs/promises';
    import { findOperations } from ${JSON.stringify(pathToFileURL(join(root, 'services/operations.ts')).href)};
    const reasons = [];
    for (const [index, [, source]] of ${JSON.stringify(broken)}.entries()) {
      const file = ${JSON.stringify(join(operations, 'broken-'))} + index + '.ts';
      await writeFile(file, source);
      reasons.push(await findOperations().then(() => 'accepted', (error) => error.message));
      await rm(file);
    }
    console.log(JSON.stringify(reasons));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', find]);
  return JSON.parse(stdout) as string[];
}

test.each(broken.map(([name, , reason], index) => [name, index, reason] as const))(
  'rejects a file with %s and names it',
  async (_name, index, reason) => {
    const message = (await (reasons ??= findReasons()))[index];
    expect(message).toContain(`broken-${index}.ts`);
    expect(message).toContain(reason);
  },
);

test('the service does not start with a broken file and names it', async () => {
  await writeFile(join(operations, 'broken.ts'), 'export const operation = null;');
  await expect(stack.startApi(0)).rejects.toThrow(/operations\/artworks\/broken\.ts/);
});
