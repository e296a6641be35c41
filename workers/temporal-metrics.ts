/** Temporal's own metrics of this process: its SDK serves them on a port of its own, from where ours passes them on. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { MetricsExporterConfig } from '@temporalio/worker';

interface TemporalMetrics {
  options: MetricsExporterConfig;
  /** In Prometheus's text format. */
  read(): Promise<string>;
}

/** Milliseconds. */
const patience = 2000;

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
      const response = await fetch(`http://${address}/metrics`, { signal: AbortSignal.timeout(patience) });
      if (!response.ok) throw new Error(`Temporal's SDK answered ${response.status} for its metrics`);
      return response.text();
    },
  };
}

/** The SDK does not tell which port it got, so it is told one. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
