/** Serves Prometheus metrics and the health of a process on a separate port, which clients cannot reach. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { headerDeadline, limitConnections } from './connection-limits.ts';
import { type Checks, checkHealth } from './health.ts';
import type { Logger } from './log.ts';
import { StartupError } from './startup-error.ts';
import { version } from './version.ts';

/** Open connections, of Prometheus and of probes. */
const maxConnections = 100;

interface Options {
  host: string;
  port: number;
  metrics: { registers: Registry[] };
  log: Logger;
  checks: Checks;
  /** The checks that each path requires. Default: `/health/ready` requires all. */
  readiness?: Readonly<Record<string, readonly string[]>>;
  /** Updates the gauges before each response. */
  refresh?(): Promise<void>;
  /** Returns more metrics in Prometheus's text format. */
  others?: (() => Promise<string>) | undefined;
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

interface Page {
  status: number;
  /** The media type. */
  type: string;
  text: string;
}

const json = (status: number, body: object): Page => ({
  status,
  type: 'application/json',
  text: JSON.stringify(body),
});

/** @throws StartupError when the port is in use */
export async function serveMetrics({
  host,
  port,
  metrics: { registers },
  log,
  checks,
  readiness = { '/health/ready': Object.keys(checks) },
  refresh,
  others,
}: Options): Promise<MetricsServer> {
  const render = async () => {
    await refresh?.();
    const own = await Promise.all(registers.map((registry) => registry.metrics()));
    const more = await others?.().catch((err: unknown) => log.warn({ err }, 'Could not read additional metrics'));
    return [...own, more ?? ''].join('\n');
  };
  const ready = async (required: readonly string[]) => {
    const health = await checkHealth(checks, required);
    return json(health.status === 'ok' ? 200 : 503, health);
  };
  const paths: Readonly<Record<string, () => Promise<Page>>> = {
    '/metrics': async () => ({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text: await render() }),
    '/health/live': () => Promise.resolve(json(200, { status: 'ok', version })),
    ...Object.fromEntries(Object.entries(readiness).map(([path, required]) => [path, () => ready(required)])),
  };
  const server = createServer(headerDeadline, (request, response) => {
    const page = request.method === 'GET' ? paths[request.url?.split('?')[0] ?? ''] : undefined;
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    page().then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      (err: unknown) => {
        log.error({ err }, 'Could not read metrics');
        response.writeHead(500).end();
      },
    );
  });
  limitConnections(server, { max: maxConnections, log });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new StartupError(`ATELIER_METRICS_PORT: cannot listen on ${host}:${port} (${cause.message}).`, { cause })),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
