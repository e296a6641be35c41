/** The condition that selects the styles or files that a key may use: the rule of `mayUse`, as a query. */
import { mayUseOthers, type Use } from '../schemas/object-access.ts';
import type { ApiKey } from './entities.ts';

export const usableBy = (key: ApiKey, kind: 'style' | 'file', use: Use) => ({
  org: key.org,
  environment: key.environment,
  ...(!mayUseOthers(key.scope, kind, use) && { key: key.id }),
});
