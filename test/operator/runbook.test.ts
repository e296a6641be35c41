/** The operator's commands in the documentation: each runs against a live service, as it is written. */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { parse } from 'yaml';
import { create, ended } from '../support/client.ts';
import { apiKey, at, enginesEnv, flux } from '../support/engines.ts';
import { operator, operatorProcess } from '../support/operator.ts';
import { readPage, runCommands } from '../support/page-commands.ts';
import { shared, startSharedStack } from '../support/shared.ts';
import type { Stack } from '../support/stack.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

jest.setTimeout(120_000);

const pagesIn = (folder: string) => readdirSync(folder).map((name) => `${folder}/${name}`);
const folders = ['docs/deploy', 'docs/security'].flatMap(pagesIn);
const pages = ['README.md', 'docs/operating.md', 'docs/engines/README.md', ...folders];

/** The ways in which the pages call the operator's command. */
const program = String.raw`(?:npm run operator --|node operator/main\.ts|operator)`;
/** A line of a shell example, or code in a sentence. A comment or a redirection ends it. */
const lines = new RegExp(
  String.raw`^ *(?:docker compose|kubectl) .*node operator/main\.ts (.+?)(?: +[#>].*)?$|^ *${program} ([a-z].+?)(?: +[#>].*)?$`,
  'gm',
);
const code = new RegExp('`' + String.raw`(?:(?:docker compose|kubectl) [^\`]*)?${program} ([^\`]+)` + '`', 'g');

interface Written {
  command: string;
  pages: string[];
}

function findCommands(): Written[] {
  const found = pages.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const matches = [...text.matchAll(lines), ...text.matchAll(code)];
    return matches.map((match) => ({ page, command: (match[1] ?? match[2] ?? '').trim() }));
  });
  const byCommand = Map.groupBy(found, ({ command }) => command);
  // The page names only the program.
  for (const command of ['', '…']) byCommand.delete(command);
  return [...byCommand].map(([command, uses]) => ({ command, pages: uses.map(({ page }) => page) }));
}

let stack: Stack;
let fal: UpstreamFake;
let artwork: string;

beforeAll(async () => {
  fal = await startFal({ apiKey });
  const env = enginesEnv(shared().folder, { engines: { fal: at('fal', fal) }, models: { selena: [flux] } });
  stack = await startSharedStack({ env });
  artwork = (await create(stack, { prompt: 'a boat', width: 256, height: 256 })).id;
  await ended(stack, artwork);
});
afterAll(async () => {
  await stack.stop();
  await fal.close();
});

/** A command with the ids, files and dates of this test in place of those on the page. */
async function argumentsOf(command: string): Promise<string[]> {
  // Every later command needs the organization of the service.
  if (command.startsWith('organizations erase')) return command.replaceAll('org_…', await newOrganization()).split(' ');
  const key = command.includes('key_…') ? await newKey() : '';
  const values: [RegExp, string][] = [
    ...(command.startsWith('organizations create') ? [] : ([[/org_(acme|…)/, stack.orgId]] as [RegExp, string][])),
    [/key_…/, key],
    [/art_…/, artwork],
    [/\/settings\/engines\.json/, stack.env['ATELIER_ENGINES'] ?? ''],
    [/(?<= )prices\.json/, 'docs/examples/prices.json'],
    [/\d{4}-\d\d-\d\d/, new Date().toISOString().slice(0, 10)],
    [/"(\w+)"/, '$1'],
  ];
  return values.reduce((text, [pattern, value]) => text.replace(pattern, value), command).split(' ');
}

async function newOrganization(): Promise<string> {
  const { stdout } = await operator(stack.env, 'organizations', 'create', 'Erased', '--json');
  return (JSON.parse(stdout) as { orgId: string }).orgId;
}

async function newKey(): Promise<string> {
  const { stdout } = await operator(stack.env, 'keys', 'create', stack.orgId, '--json');
  return (JSON.parse(stdout) as { keyId: string }).keyId;
}

/** Why a command may fail here: the page only names it, without its arguments, or it needs a bucket or another artwork. */
const mayFail =
  /^error: missing required argument|^ATELIER_FILES names no object storage|Only failed artworks can be retried|has already ended and cannot be canceled|was created without a webhookUrl/;

test.each(findCommands())('$command', async ({ command }) => {
  const args = await argumentsOf(command);
  // Only a process of its own has the keys of providers in its environment.
  const run = args.includes('check') ? operatorProcess : operator;
  const { code, stderr } = await run(stack.env, ...args);
  expect(code === 0 || mayFail.test(stderr) ? '' : `${code} ${stderr}`).toBe('');
});

test('the runbook for a leaked webhook secret replaces it at once', async () => {
  const command = readPage('docs/security/incidents.md').block('rotate-webhook-secret').replace('org_…', stack.orgId);
  const output = await runCommands(command, { ...process.env, API: stack.baseUrl, KEY: stack.adminKey });
  expect(JSON.parse(output)).toMatchObject({ orgId: stack.orgId, previousSecretExpiresAt: null });
});

test('the pages run commands in containers that exist', () => {
  const { workers } = parse(readFileSync('deploy/chart/values.yaml', 'utf8')) as { workers: object };
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as { services: object };
  const deployments = ['atelier-api', ...Object.keys(workers).map((name) => `atelier-worker-${name}`)];
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    for (const [, name] of text.matchAll(/deploy\/(atelier-[\w-]+)/g)) expect(deployments).toContain(name);
    for (const [, name] of text.matchAll(/docker compose exec (?:-\S+ )*([a-z][\w-]*)/g)) {
      expect(Object.keys(services)).toContain(name);
    }
  }
});

test('the pages contain the commands that a runbook needs', () => {
  const written = findCommands().map(({ command }) => command);
  expect(written).toEqual(
    expect.arrayContaining(['artworks stuck', 'artworks revive --all', 'workers', 'engines list', 'files check']),
  );
});
