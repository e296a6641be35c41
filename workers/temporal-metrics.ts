/** Metrics of the Temporal SDK. The SDK serves them on its own port, from which the metrics server of this process reads. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';

interface TemporalMetrics {
  options: MetricsExporterConfig;
  /** Returns the metrics in Prometheus's text format. */
  read(): Promise<string>;
}

/** Milliseconds before reading the metrics fails. */
const timeout = 2000;

export async function openTemporalMetrics(): Promise<TemporalMetrics> {
  const address = `127.0.0.1:${await freePort()}`;
  const prometheus = {
    bindAddress: address,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  };
  return {
    options: { prometheus, attachServiceName: false },
    async read() {
      const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(timeout) });
      if (!response.ok) throw new Error(`The metrics of the Temporal SDK returned ${response.status}`);
      return response.text();
    },
  };
}

/** Returns a free port. The SDK cannot report a port that it has chosen itself. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
