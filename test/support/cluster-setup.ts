/** Starts the backends of a cluster before all tests; services start when a test file joins them. */
import { startTestCluster } from './cluster.ts';
import { publish } from './setup.ts';

export default async function setup(): Promise<void> {
  const cluster = await startTestCluster();
  const { databaseUrl, roles, poolerPort, temporalAddress, folder, env } = cluster;
  await publish(cluster, { databaseUrl, roles, poolerPort, temporalAddress, folder, cluster: env });
}
