/** `npm run bench [service] [deliveries] [credits] [answers] [events] [limits] [providers] [operations]`: what things cost. Compare runs on one machine only. */
import { startBackends } from '../test/support/backends.ts';
import { benchAnswers } from './answers.ts';
import { benchCredits } from './credits.ts';
import { benchDeliveries } from './deliveries.ts';
import { benchEvents } from './events.ts';
import { benchLimits } from './limits.ts';
import { benchOperations } from './operations.ts';
import { benchProviders } from './providers.ts';
import { benchService } from './service.ts';

const benches = {
  service: benchService,
  deliveries: benchDeliveries,
  credits: benchCredits,
  answers: benchAnswers,
  events: benchEvents,
  limits: benchLimits,
  providers: benchProviders,
  operations: benchOperations,
};
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(benches, name));
if (unknown !== undefined) throw new Error(`There is no bench "${unknown}", only ${Object.keys(benches).join(', ')}`);

const backends = await startBackends();
try {
  for (const [name, bench] of Object.entries(benches)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`\n${name}`);
    await bench(backends);
  }
} finally {
  await backends.stop();
}
