/** Reads the limits of the calling key and of its organization, with their current use. */
import type { LimitView } from '../../schemas/limits-view.ts';
import type { Limits } from '../../schemas/limits.ts';
import { readStoredUse, type Use, viewLimits } from '../../services/limit-views.ts';
import type { ApiKey } from '../../store/entities.ts';
import type { SharedRate } from '../../store/shared-rates.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler } from '../http/handler.ts';
import { readKeyRate, readShared } from '../http/shared-rate.ts';

export function readLimits(deps: Dependencies): Handler<'readLimits'> {
  return async ({ response, key }) => {
    const limits = await deps.limitsOf(key.org);
    const shared = (rate: SharedRate): Promise<Use> | Use =>
      limits[rate] === null ? { used: null } : readShared(deps, key, rate);
    const [stored, creations, requests, uploads, ofKey] = await Promise.all([
      readStoredUse(deps.db, key, new Date(deps.now())),
      shared('creationsPerMinute'),
      shared('requestsPerMinute'),
      shared('uploadBytesPerMinute'),
      viewKeyRates(deps, key),
    ]);
    const uses = {
      ...{ creationsPerMinute: creations, requestsPerMinute: requests, uploadBytesPerMinute: uploads, ...stored },
      waitingRequests: { used: deps.inProgress.count('waitingRequests', key) },
      streams: { used: deps.inProgress.count('streams', key) },
    };
    const { environment } = key;
    response.json({ environment, key: ofKey, organization: viewLimits(withoutCredits(limits, key), uses) });
  };
}

/** Test keys pay nothing. */
const withoutCredits = (limits: Limits, { environment }: ApiKey): Limits =>
  environment === 'test' ? { ...limits, creditsPerDay: null, creditsPerMonth: null } : limits;

async function viewKeyRates(deps: Dependencies, key: ApiKey): Promise<LimitView[]> {
  const { creations, others } = deps.config.rates;
  const rates = [
    {
      ...{ name: 'creationsPerMinute', policy: 'creations', limit: key.rateCreations ?? creations },
      description: 'Creations and synchronous requests of this key per minute.',
    },
    {
      ...{ name: 'requestsPerMinute', policy: 'others', limit: key.rateOthers ?? others },
      description: 'Other requests of this key per minute.',
    },
  ];
  return Promise.all(
    rates.map(async ({ name, policy, limit, description }) => {
      const { used, resetsAt } = await readKeyRate(deps, key, policy);
      return { name, limit, used, unit: 'requests' as const, resetsAt: resetsAt.toISOString(), description };
    }),
  );
}
