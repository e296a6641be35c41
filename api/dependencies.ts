/** The dependencies of the API. */
import type { ApiMetrics } from '../runtime/metrics.ts';
import type { Operation } from '../schemas/operation.ts';
import type { CreationSlots } from '../services/creation-slots.ts';
import type { ServiceDependencies } from '../services/dependencies.ts';
import type { InProgress } from '../services/in-progress.ts';
import type { ReadLimits } from '../services/organization-limits.ts';
import type { UsageCounter } from '../services/usage-counter.ts';
import type { ApiKey } from '../store/entities.ts';
import type { Limiter } from '../store/limiter.ts';
import type { Vault } from '../store/vault.ts';
import type { AddressRates } from './http/address-rates.ts';
import type { BytesInFlight } from './http/bytes-in-flight.ts';

export interface Dependencies extends ServiceDependencies {
  operations: readonly Operation[];
  vault: Vault;
  limiter: Limiter;
  addressRates: AddressRates;
  /** Returns the key with this secret; null if none exists. */
  findKey(apiKey: string): Promise<ApiKey | null>;
  limitsOf: ReadLimits;
  inProgress: InProgress;
  creationSlots: CreationSlots;
  bytesInFlight: BytesInFlight;
  uses: UsageCounter;
  metrics: ApiMetrics;
}
