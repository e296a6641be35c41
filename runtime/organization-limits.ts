/** Reads the default limits of organizations. */
import { defaultLimits, type Limits, parseLimit } from '../schemas/limits.ts';
import { StartupError } from './startup-error.ts';

/** Organizations may send as many requests as two keys. */
const keys = 2;

/**
 * Returns the limits of organizations that have no own ones.
 * @param text as ATELIER_ORGANIZATION_LIMITS: `name=value`, separated by commas
 * @param rates requests per minute and key
 * @throws StartupError
 */
export function readOrganizationLimits(text: string, rates: { creations: number; others: number }): Limits {
  const defaults: Limits = {
    ...defaultLimits,
    creationsPerMinute: rates.creations * keys,
    requestsPerMinute: rates.others * keys,
  };
  const changed = text
    .split(',')
    .filter((item) => item.trim() !== '')
    .map(parse);
  return {
    ...defaults,
    ...Object.fromEntries(changed.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value])),
  };
}

function parse(item: string): ReturnType<typeof parseLimit> {
  try {
    return parseLimit(item);
  } catch (cause) {
    throw new StartupError(`ATELIER_ORGANIZATION_LIMITS: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}
