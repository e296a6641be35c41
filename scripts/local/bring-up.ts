/** Runs the steps of `npm start` in order and prints a summary. */
import { bringUpPostgres, bringUpTemporal, type Context } from './backends.ts';
import { demoOrganization, writeDemoFile, type Addresses, type DemoCredentials } from './demo.ts';
import { bringUpServices } from './services.ts';

export async function bringUp(context: Context): Promise<void> {
  const { terminal, data, parts, signal } = context;
  // Loading the database library takes as long as starting the database.
  const loading = Promise.all([import('../../store/migrate.ts'), import('../../operator/demo.ts')]);
  loading.catch(() => undefined);

  const [{ url: databaseUrl, directUrl }, temporal] = await Promise.all([
    bringUpPostgres(context),
    bringUpTemporal(context),
  ]);
  signal.throwIfAborted();
  const [{ migrate }] = await loading;
  await terminal.step(
    'Migrations',
    () => migrate(directUrl),
    (names) => `Migrations: ${names.length === 0 ? 'none pending' : names.join(', ')}`,
  );
  const demo = await demoOrganization(context, directUrl);
  signal.throwIfAborted();
  const { baseUrl, metrics } = await bringUpServices(context, { databaseUrl, temporalAddress: temporal.address });

  const addresses: Addresses = {
    baseUrl,
    docs: `${baseUrl}/docs`,
    temporalUi: temporal.ui,
    temporalAddress: temporal.address,
    databaseUrl,
  };
  const write = () => writeDemoFile(data, addresses, demo, parts);
  write();
  parts.onChange(write);
  summary(context, addresses, demo, metrics);
}

function summary(
  { terminal, settings, data }: Context,
  { baseUrl, docs, temporalUi }: Addresses,
  demo: DemoCredentials,
  metrics: string[],
): void {
  terminal.line(`
Atelier is up.
  API          ${baseUrl}
  Docs         ${docs}
  Playground   ${baseUrl}/playground
  Temporal UI  ${temporalUi ?? '(the UI of your Temporal)'}
  Metrics      ${metrics.join(', ') || 'off'}
  Data         ${data.path}
  Demo key     ${demo.adminKey}
Private hosts that webhooks and image URLs may name: ${settings.allowedHosts || 'none'} (ATELIER_ALLOWED_HOSTS).

Create an artwork:
  curl -s ${baseUrl}/v2/artworks/selena -H 'Authorization: Bearer ${demo.adminKey}' \\
    -H 'Content-Type: application/json' -H 'Prefer: wait=30' -d '{"prompt":"a lighthouse in the evening"}'

Press Ctrl-C to stop.`);
}
