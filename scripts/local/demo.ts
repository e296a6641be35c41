/** Creates the demo organization and writes demo.json, which holds the addresses and keys of the running service. */
import type { DataFolder } from './data-folder.ts';
import type { Parts } from './parts.ts';
import type { StartSettings } from './settings.ts';
import type { Terminal } from './terminal.ts';

export interface DemoCredentials {
  orgId: string;
  adminKey: string;
  /** Null when it was encrypted with another secret. */
  webhookSecret: string | null;
}

export interface Addresses {
  baseUrl: string;
  docs: string;
  temporalUi: string | null;
  temporalAddress: string;
  databaseUrl: string;
}

const credentials = 'demo-credentials.json';

interface Context {
  data: DataFolder;
  terminal: Terminal;
  settings: Pick<StartSettings, 'secret' | 'previousSecret'>;
}

export async function demoOrganization(
  { data, terminal, settings }: Context,
  databaseUrl: string,
): Promise<DemoCredentials> {
  const { ensureDemo } = await import('../../operator/demo.ts');
  const { notices, ...demo } = await terminal.step(
    'Demo organization',
    () =>
      ensureDemo({
        databaseUrl,
        secret: settings.secret ?? data.secret(),
        previousSecret: settings.previousSecret,
        known: data.read<DemoCredentials>(credentials),
      }),
    ({ orgId }) => `Demo organization ${orgId}`,
  );
  for (const notice of notices) terminal.line(`! ${notice}`);
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
