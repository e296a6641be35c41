/** A production install contains what the migration, the operator's command, the API and the worker need, and nothing else. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Running } from '../../scripts/local/child.ts';
import { startService } from '../../scripts/local/service.ts';
import { claimPort } from '../../scripts/local/ports.ts';
import { lockedPackages } from '../../scripts/supply-chain/lock-file.ts';
import { call, create, ended } from '../support/client.ts';
import { secret } from '../support/database.ts';
import { at, enginesEnv, flux } from '../support/engines.ts';
import { createEmptyDatabase } from '../support/migrated-database.ts';
import { installForProduction, installNode, runIn } from '../support/production-install.ts';
import { shared } from '../support/shared.ts';
import { startFal } from '../upstreams/fal.ts';
import type { UpstreamFake } from '../upstreams/upstream-fake.ts';

// Installing takes about half a minute.
jest.setTimeout(300_000);

let folder: string;
/** All packages. */
let whole: string;
/** Without the embedded engines. */
let lean: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-production-'));
  [whole, lean] = [join(folder, 'whole'), join(folder, 'lean')];
  await installForProduction(whole);
  await installForProduction(lean, '--workspaces=false');
});
afterAll(() => rm(folder, { recursive: true }));

/** The environment of a deployment with an empty database. */
async function deployment(name: string): Promise<NodeJS.ProcessEnv> {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    NODE_ENV: 'production',
    DATABASE_URL: await createEmptyDatabase(shared().databaseUrl, name),
    TEMPORAL_ADDRESS: shared().temporalAddress,
    ATELIER_TASK_QUEUE: name,
    ATELIER_DATA: join(folder, name),
    ATELIER_SECRET: 'a secret of production, at least 32 characters',
    ATELIER_ALLOWED_HOSTS: '127.0.0.1',
  };
}

interface Deployed {
  baseUrl: string;
  adminKey: string;
  orgId: string;
}

/** The processes of the current test, and their ports. */
const processes: Running[] = [];
const ports: { release(): void }[] = [];
afterEach(async () => {
  for (const port of ports.splice(0)) port.release();
  const stopped = processes.splice(0);
  await Promise.all(stopped.map((running) => running.stop()));
  for (const { exited } of stopped) expect(await exited).toEqual({ code: 0, signal: null });
});

/** Follows the steps of a deployment: migrates, creates an organization and a key, starts the API and a worker. */
async function deploy(root: string, env: NodeJS.ProcessEnv, node: string): Promise<Deployed> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runIn(root, env, node, '--disable-warning=ExperimentalWarning', ...args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  expect(await run('scripts/migrate.ts')).toContain('has the search attributes');
  const operate = async (...args: string[]) =>
    JSON.parse(await run('operator/main.ts', ...args, '--json')) as Record<string, string>;
  const { orgId = '' } = await operate('organizations', 'create', 'Acme');
  const { apiKey: adminKey = '' } = await operate('keys', 'create', orgId, '--scope', 'admin');
  const claim = await claimPort(0);
  ports.push(claim);
  const { port } = claim;
  const service = { env: { ...env, PORT: String(port) }, logFile: join(folder, `${port}.log`), node };
  const start = (entry: string) => startService({ ...service, name: entry, entry: join(root, entry) });
  processes.push(...(await Promise.all([start('api/main.ts'), start('workers/main.ts')])));
  return { baseUrl: `http://127.0.0.1:${port}`, adminKey, orgId };
}

async function expectArtwork(service: Deployed, model: string): Promise<void> {
  const { id } = await create(service, { prompt: 'a lighthouse', width: 256, height: 256 });
  const artwork = await ended(service, id);
  expect(artwork).toMatchObject({ status: 'SUCCEEDED', images: [{ model, width: 256, height: 256 }] });
  const image = await fetch(artwork.images[0]?.url ?? '');
  expect(image.headers.get('content-type')).toBe('image/png');
  expect((await image.arrayBuffer()).byteLength).toBe(artwork.images[0]?.bytes);
}

describe('with the embedded engines', () => {
  test('has no development package', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(whole, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    // These are also dependencies of production packages.
    const shared = ['@swc/core', '@temporalio/proto', '@types/node'];
    const present = Object.keys(devDependencies).filter((name) => existsSync(join(whole, 'node_modules', name)));
    expect(present.filter((name) => !shared.includes(name))).toEqual([]);
  });

  test.each([
    ['the Node of this project', null],
    ['the oldest supported Node', '22.18.0'],
    ['the newest Node that was tried', '26.10.0'],
  ])('takes an artwork from the migration to its image, with %s', async (_name, version) => {
    const node = version === null ? process.execPath : await installNode(join(folder, version), version);
    const env = await deployment(`whole_${version?.split('.')[0] ?? 'own'}`);
    await expectArtwork(await deploy(whole, env, node), 'local/sketch');
  });

  test('npm run operator neither installs nor removes packages', async () => {
    const env = await deployment('operated');
    const before = readdirSync(join(whole, 'node_modules'));
    expect(await runIn(whole, env, 'npm', 'run', '--silent', 'operator', 'migrate')).toMatchObject({ code: 0 });
    expect(readdirSync(join(whole, 'node_modules'))).toEqual(before);
  });
});

describe('without the embedded engines', () => {
  let fal: UpstreamFake;
  beforeAll(async () => {
    fal = await startFal();
  });
  afterAll(() => fal.close());

  test('takes an artwork through a provider', async () => {
    const engines = enginesEnv(folder, { engines: { fal: at('fal', fal) }, models: { selena: [flux] } });
    const env = { ...(await deployment('lean')), ...engines, ATELIER_UNJUDGED: 'allow' };
    const service = await deploy(lean, env, process.execPath);
    await expectArtwork(service, 'fal/fal-ai/flux/dev');
    // A key for tests always uses the embedded engines.
    const key = await call<{ apiKey: string }>(`${service.baseUrl}/v2/organizations/${service.orgId}/api-keys`, {
      ...{ method: 'POST', key: service.adminKey },
      body: { label: 'test', scope: 'generator', domains: ['artworks-internal'], environment: 'test' },
    });
    const { id } = await create(
      { ...service, adminKey: key.body.apiKey },
      { prompt: 'a fox', width: 256, height: 256 },
    );
    expect(await ended({ ...service, adminKey: key.body.apiKey }, id)).toMatchObject({
      status: 'FAILED',
      errorCode: 'provider_rejected',
    });
  });

  test('has an SBOM of the packages that are installed', async () => {
    const args = ['scripts/image/sbom.mjs', 'sbom.cdx.json', '--installed'];
    expect(await runIn(lean, process.env, process.execPath, ...args)).toMatchObject({ code: 0, stderr: '' });
    const parsed = <T>(file: string) => JSON.parse(readFileSync(join(lean, file), 'utf8')) as T;
    const { components } = parsed<{ components: { name: string; version: string }[] }>('sbom.cdx.json');
    const { packages } = parsed<{ packages: object }>('node_modules/.package-lock.json');
    const idsOf = (some: { name: string; version: string }[]) =>
      [...new Set(some.map(({ name, version }) => `${name}@${version}`))].sort();
    expect(idsOf(components)).toEqual(idsOf(lockedPackages(lean).filter(({ path }) => path in packages)));
    expect(components.map(({ name }) => name)).toContain('pg');
    expect(components.map(({ name }) => name)).not.toContain('@atelier/local');
  });

  test.each([
    ['no engines file', {}, /^The embedded engines are not installed: name a file .* in ATELIER_ENGINES/],
    ['no classifier', { models: { selena: [flux] } }, /^No classifier would check images .* ATELIER_UNJUDGED=allow\.$/],
  ])('a worker with %s exits with one sentence', async (_name, models, message) => {
    const engines =
      'models' in models
        ? enginesEnv(folder, { engines: { fal: { protocol: 'fal', key: 'FAKE_KEY' } }, ...models })
        : {};
    const env = { ...process.env, NODE_OPTIONS: '', ATELIER_SECRET: secret, ...engines };
    const { code, stderr } = await runIn(lean, env, process.execPath, 'workers/main.ts');
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
