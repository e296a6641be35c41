/** The limits of an organization: their names, defaults and units. Each holds for live and for test keys separately. */

export type LimitUnit = 'requests' | 'artworks' | 'bytes' | 'streams' | 'keys' | 'styles' | 'credits';

interface LimitRow {
  unit: LimitUnit;
  /** Null: no limit. */
  default: number | null;
  description: string;
}

const gigabyte = 1024 ** 3;

/** The defaults suit one machine. Those of the two rates are twice the default rate of a key. */
export const organizationLimits = {
  creationsPerMinute: {
    unit: 'requests',
    default: 1200,
    description: 'Creations and synchronous requests of all keys per minute.',
  },
  requestsPerMinute: {
    unit: 'requests',
    default: 6000,
    description: 'Other requests of all keys per minute.',
  },
  unfinishedArtworks: {
    unit: 'artworks',
    default: 2000,
    description: 'Artworks and synchronous requests that have not ended.',
  },
  uploadBytesPerMinute: {
    unit: 'bytes',
    default: gigabyte,
    description: 'Bytes uploaded to `/v2/files` per minute, including rejected uploads that announce their size.',
  },
  storedBytes: {
    unit: 'bytes',
    default: 5 * gigabyte,
    description: 'Bytes of uploaded files that are stored: until they are deleted or expire.',
  },
  waitingRequests: {
    unit: 'requests',
    default: 500,
    description: 'Synchronous requests and requests with `Prefer: wait` at a time, in one API process.',
  },
  streams: { unit: 'streams', default: 4000, description: 'Event streams at a time, in one API process.' },
  keys: { unit: 'keys', default: 1000, description: 'API keys that are neither revoked nor expired.' },
  styles: {
    unit: 'styles',
    default: 1000,
    description: 'Encoded styles, including those that unfinished artworks encode.',
  },
  creditsPerDay: {
    unit: 'credits',
    default: null,
    description: 'Credits charged on this day (UTC), and credits reserved for unfinished artworks.',
  },
  creditsPerMonth: {
    unit: 'credits',
    default: null,
    description: 'Credits charged in this month (UTC), and credits reserved for unfinished artworks.',
  },
} as const satisfies Record<string, LimitRow>;

export type LimitName = keyof typeof organizationLimits;

export const limitNames = Object.keys(organizationLimits) as LimitName[];

/** The limits in force. Null: no limit. */
export type Limits = Readonly<Record<LimitName, number | null>>;

/** Own limits of an organization; absent ones have their default. Null: no limit. */
export type OwnLimits = Partial<Limits>;

export const defaultLimits: Limits = Object.fromEntries(
  limitNames.map((name) => [name, organizationLimits[name].default]),
) as Record<LimitName, number | null>;

/** Limits that protect a process or an address, which operators do not set per organization. */
export const otherLimits = [
  'keyCreations',
  'keyRequests',
  'keyStreams',
  'unauthorized',
  'bodyBytes',
  'creationsAtOnce',
] as const;

/** A limit that has rejected a request, as the metrics name it. */
export type ExceededLimit = LimitName | (typeof otherLimits)[number];

const isLimitName = (name: string): name is LimitName => Object.hasOwn(organizationLimits, name);

const multiples: Record<string, number> = { KB: 1024, MB: 1024 ** 2, GB: gigabyte };

/**
 * Parses `name=value`. A value is a whole number, with KB, MB or GB for bytes, or `none`.
 * @returns undefined as value for `default`
 * @throws Error that says what is wrong with the text
 */
export function parseLimit(text: string): { name: LimitName; value: number | null | undefined } {
  const [name = '', value = '', ...more] = text.split('=').map((part) => part.trim());
  if (!isLimitName(name)) throw new Error(`"${name}" is not a limit. Limits: ${limitNames.join(', ')}.`);
  if (value === 'none' && more.length === 0) return { name, value: null };
  if (value === 'default' && more.length === 0) return { name, value: undefined };
  const [, digits, unit = ''] = /^(\d{1,15})(KB|MB|GB)?$/.exec(value) ?? [];
  const isBytes = organizationLimits[name].unit === 'bytes';
  const number = Number(digits) * (multiples[unit] ?? 1);
  if (digits !== undefined && more.length === 0 && (unit === '' || isBytes) && Number.isSafeInteger(number)) {
    return { name, value: number };
  }
  const example = isBytes ? ' such as 500MB' : '';
  throw new Error(`${name} must be a whole number${example}, none or default.`);
}

/** Returns an amount as people read it: `5 GB`, `20 MB`, `2000`. */
export function limitText(unit: LimitUnit, amount: number): string {
  const [name, size] = Object.entries(multiples).findLast(([, bytes]) => amount > 0 && amount % bytes === 0) ?? [];
  if (unit !== 'bytes') return String(amount);
  return name !== undefined && size !== undefined ? `${amount / size} ${name}` : `${amount} bytes`;
}
