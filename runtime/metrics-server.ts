/** Serves Prometheus metrics on a separate port, which clients cannot reach. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from './log.ts';
import { StartupError } from './startup-error.ts';

interface Options {
  host: string;
  port: number;
  metrics: { registers: Registry[] };
  log: Logger;
  /** Updates the gauges before each response. */
  refresh?(): Promise<void>;
  /** Returns more metrics in Prometheus's text format. */
  others?: (() => Promise<string>) | undefined;
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** @throws StartupError when the port is in use */
export async function serveMetrics({
  host,
  port,
  metrics: { registers },
  log,
  refresh,
  others,
}: Options): Promise<MetricsServer> {
  const render = async () => {
    await refresh?.();
    const own = await Promise.all(registers.map((registry) => registry.metrics()));
    const more = await others?.().catch((err: unknown) => log.warn({ err }, 'Could not read additional metrics'));
    return [...own, more ?? ''].join('\n');
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    render().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      (err: unknown) => {
        log.error({ err }, 'Could not read metrics');
        response.writeHead(500).end();
      },
    );
  });
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
