/** Creates the demo organization and writes demo.json, which holds the addresses and keys of the running service. */
import type { DataFolder } from './data-folder.ts';
import type { Parts } from './parts.ts';

export interface DemoCredentials {
  orgId: string;
  adminKey: string;
  webhookSecret: string;
}

export interface Addresses {
  baseUrl: string;
  docs: string;
  temporalUi: string | null;
  temporalAddress: string;
  databaseUrl: string;
}

const credentials = 'demo-credentials.json';

export async function demoOrganization(
  data: DataFolder,
  databaseUrl: string,
  secret: string,
): Promise<DemoCredentials> {
  const { ensureDemo } = await import('../../operator/demo.ts');
  const demo = await ensureDemo({ databaseUrl, secret, known: data.read<DemoCredentials>(credentials) });
  data.write(credentials, demo);
  return demo;
}

export function writeDemoFile(data: DataFolder, addresses: Addresses, demo: DemoCredentials, parts: Parts): void {
  const list = (name: string) => [parts.pid(name)].filter((pid) => pid !== null);
  const pids = {
    api: list('api'),
    worker: list('worker'),
    temporal: parts.pid('temporal'),
    postgres: parts.pid('postgres'),
  };
  data.write('demo.json', { ...addresses, ...demo, pids });
}

export function removeDemoFile(data: DataFolder): void {
  data.remove('demo.json');
}
