/** Brings up the API and the worker. */
import { fileURLToPath } from 'node:url';
import type { Context } from './backends.ts';
import { onFreePorts } from './ports.ts';
import { startService } from './service.ts';

export interface Backends {
  databaseUrl: string;
  temporalAddress: string;
}

/** Answers the address under which the API is reached. */
export async function bringUpServices(context: Context, backends: Backends): Promise<string> {
  const { settings, terminal } = context;
  const { started } = await onFreePorts([settings.port], settings.host, async ([port = 0]) => {
    if (port !== settings.port && settings.port !== 0)
      terminal.line(`! Port ${settings.port} is taken; the API uses ${port}`);
    await startBoth(context, backends, port);
    return baseUrl(settings.host, port);
  });
  return started;
}

async function startBoth(context: Context, backends: Backends, port: number): Promise<void> {
  const { parts, terminal, data, settings } = context;
  const env = serviceEnv(context, backends, port);
  const add = (name: string, title: string, entry: string) => {
    const logFile = data.logFile(name);
    const file = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
    const start = (signal: AbortSignal) => startService({ name: title, entry: file, env, logFile, signal });
    return parts.add({ name, title, logFile, start });
  };
  const both = [
    terminal.step(
      'API',
      () => add('api', 'API', 'api/main.ts'),
      () => `API on ${settings.host}:${port}`,
    ),
    terminal.step('Worker', () => add('worker', 'Worker', 'workers/main.ts')),
  ];
  try {
    await Promise.all(both);
  } catch (error) {
    await parts.stop(['api', 'worker'], true);
    await Promise.allSettled(both);
    throw error;
  }
}

function serviceEnv({ settings, data }: Context, backends: Backends, port: number): NodeJS.ProcessEnv {
  return {
    ...process.env,
    HOST: settings.host,
    PORT: String(port),
    ATELIER_PUBLIC_URL: settings.publicUrl ?? baseUrl(settings.host, port),
    DATABASE_URL: backends.databaseUrl,
    TEMPORAL_ADDRESS: backends.temporalAddress,
    TEMPORAL_NAMESPACE: settings.temporalNamespace,
    ATELIER_DATA: data.path,
    ATELIER_SECRET: settings.secret ?? data.secret(),
    ATELIER_ALLOWED_HOSTS: settings.allowedHosts,
  };
}

function baseUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
