/** Answers Prometheus on a port of its own, which clients do not reach. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import type { Logger } from './log.ts';

interface Options {
  host: string;
  port: number;
  metrics: { registers: Registry[] };
  log: Logger;
  /** Called before each answer, to set what is looked up rather than counted. */
  refresh?(): Promise<void>;
  /** Metrics of others, in the same text format. */
  others?: (() => Promise<string>) | undefined;
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/** @throws Error when the port is taken */
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
    const theirs = await others?.().catch((err: unknown) => log.warn({ err }, 'metrics of others could not be read'));
    return [...own, theirs ?? ''].join('\n');
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    render().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      (err: unknown) => {
        log.error({ err }, 'metrics could not be read');
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new Error(`ATELIER_METRICS_PORT: nothing can listen on ${host}:${port}`, { cause })),
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
