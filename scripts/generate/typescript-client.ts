/** The typed client for TypeScript, as files by their names: made from the OpenAPI document by @hey-api/openapi-ts. */
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

/** Its HTTP layer is written for less strict settings than ours, and for browsers' types. */
const unchecked = (name: string) => (/^(client|core)\//.test(name) ? '// @ts-nocheck\n' : '');
