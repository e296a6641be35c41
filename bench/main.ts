/**
 * `npm run bench [service] [cluster] [deliveries] [credits] [synchronous] [events] [limits] [neighbours] [hostile] [providers] [purges] [saturation] [operations]`: runs benchmarks.
 * Compare results of one machine only.
 * `npm run bench -- growth [--scale 0.01]` runs only when it is named: it takes about ten minutes and 20 GB of disk.
 */
import { parseArgs } from 'node:util';
import { readStartSettings } from '../scripts/local/settings.ts';
import { startBenchBackends } from './backends.ts';
import { benchSynchronousRequests } from './synchronous-requests.ts';
import { benchCluster } from './cluster.ts';
import { benchCredits } from './credits.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchEvents } from './events.ts';
import { benchGrowth } from './growth.ts';
import { benchHostile } from './hostile.ts';
import { benchLimits } from './limits.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchOperations } from './operations.ts';
import { benchProviders } from './providers.ts';
import { benchPurges } from './purges.ts';
import { benchSaturation } from './saturation.ts';
import { benchService } from './service.ts';

const { values, positionals: selected } = parseArgs({
  options: { scale: { type: 'string', default: '1' } },
  allowPositionals: true,
});

const benches = {
  service: benchService,
  cluster: benchCluster,
  deliveries: benchDeliveries,
  credits: benchCredits,
  synchronous: benchSynchronousRequests,
  events: benchEvents,
  limits: benchLimits,
  neighbours: benchNeighbours,
  hostile: benchHostile,
  providers: benchProviders,
  saturation: benchSaturation,
  operations: benchOperations,
  purges: benchPurges,
  growth: () => benchGrowth(Number(values.scale)),
};
const unknown = selected.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined)
  throw new Error(`Unknown benchmark "${unknown}". Benchmarks: ${Object.keys(benches).join(', ')}`);

const backends = await startBenchBackends(readStartSettings(process.env).temporal);
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (selected.length > 0 ? !selected.includes(name) : name === 'growth') continue;
    console.log(`\n${name}`);
    await bench(backends);
  }
} finally {
  await backends.stop();
}
