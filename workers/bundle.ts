/** Bundles the workflow code and caches the bundle, so that a replacement worker starts without a build. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

/** JavaScript code for `Worker.create`. */
interface Bundle {
  code: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules/.cache/atelier');

/** The folders and files whose contents determine the bundle. */
const folders = ['workflows', 'schemas'];
const files = ['package-lock.json', 'workers/bundle.ts'];

/** Returns the bundle, from the cache if the code has not changed. */
export async function bundleWorkflows(): Promise<Bundle> {
  const file = join(cache, `workflows-${await fingerprint()}.js`);
  const cached = await readFile(file, 'utf8').catch(() => null);
  if (cached !== null) return { code: cached };
  const bundle = await buildBundle();
  // The rename is atomic, so that other processes never read half a file.
  const draft = `${file}.${process.pid}`;
  await mkdir(cache, { recursive: true })
    .then(() => writeFile(draft, bundle.code))
    .then(() => rename(draft, file))
    // A read-only installation builds the bundle at each start.
    .catch(() => undefined);
  return bundle;
}

/** @throws Error when workflow code imports a module that is not deterministic */
export function buildBundle(): Promise<Bundle> {
  const silent = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
  return bundleWorkflowCode({
    workflowsPath: join(root, 'workflows/index.ts'),
    logger: silent,
  });
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  const sources = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true });
      return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
    }),
  );
  for (const file of [...files, ...sources.flat().sort()]) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
