/** Generates the TypeScript client from the OpenAPI document with @hey-api/openapi-ts. Returns texts by file name. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

export async function typescriptClient(document: object): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-client-'));
  try {
    await createClient({
      input: { ...document },
      output: { path: folder, module: { extension: '.ts' } },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
      logs: { level: 'silent', file: false },
    });
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return Object.fromEntries(names.map((name, index) => [name, unchecked(name) + (texts[index] ?? '')]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Excludes the generated HTTP layer from type checks: it needs looser settings and the types of browsers. */
const unchecked = (name: string) => (/^(client|core)\//.test(name) ? '// @ts-nocheck\n' : '');
