/** `npm run cluster`: runs the service as in production on this machine, with several processes that share no folder. */
import { bringUpCluster, stopOrder } from './cluster/bring-up.ts';
import { runInForeground } from './local/foreground.ts';

await runInForeground({ ATELIER_DATA: '.atelier-cluster', ...process.env }, { bringUp: bringUpCluster, stopOrder });
