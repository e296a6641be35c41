/** Limits the bytes of request bodies that a process holds in memory at a time: per key, per organization and in all. */
import { textBody } from '../../schemas/body-limits.ts';
import { Problem } from '../../services/problem.ts';
import type { ApiKey } from '../../store/entities.ts';

/** Raises the bytes that are reserved for one body to a total. @throws Problem `rate_limited` or `unavailable` */
export type Reserve = (bytes: number) => void;

export interface BytesInFlight {
  /**
   * Runs `work`, for which a request of `key` reserves bytes, and releases them when it ends, however it ends.
   * @throws the error of `work`
   */
  hold<T>(key: Pick<ApiKey, 'id' | 'org'>, work: (reserve: Reserve) => Promise<T>): Promise<T>;
}

/** Maximum bytes at a time. */
export interface InFlightLimits {
  key: number;
  organization: number;
  process: number;
  /** What bodies over `textBody` may take of the limit of the process, so that small ones always fit beside them. */
  large: number;
}

const megabyte = 1024 * 1024;

/**
 * Two of the largest bodies of a key, three of an organization and five of a process, so that no organization can fill a
 * process. While a body is parsed and its images are decoded, it takes up to three times its size, and an API has 1 GB.
 */
const defaults: InFlightLimits = {
  key: 64 * megabyte,
  organization: 96 * megabyte,
  process: 192 * megabyte,
  large: 160 * megabyte,
};

export function createBytesInFlight(limits: InFlightLimits = defaults): BytesInFlight {
  const held = new Map<string, number>();
  const heldBy = (holder: string) => held.get(holder) ?? 0;
  const add = (holder: string, bytes: number) => {
    const total = heldBy(holder) + bytes;
    if (total === 0) held.delete(holder);
    else held.set(holder, total);
  };
  return {
    async hold({ id, org }, work) {
      const holders = [`key ${id}`, `organization ${org}`, 'process'] as const;
      const [key, organization, process] = holders;
      let reserved = 0;
      const reserve = (bytes: number) => {
        const more = bytes - reserved;
        if (more <= 0) return;
        if (heldBy(key) + more > limits.key) throw tooMany('this API key', limits.key);
        if (heldBy(organization) + more > limits.organization) throw tooMany('your organization', limits.organization);
        const available = bytes > textBody.bytes ? limits.large : limits.process;
        if (heldBy(process) + more > available) throw new Problem('unavailable');
        for (const holder of holders) add(holder, more);
        reserved = bytes;
      };
      try {
        return await work(reserve);
      } finally {
        for (const holder of holders) add(holder, -reserved);
      }
    },
  };
}

/** Seconds before a client should retry. Another of its bodies ends meanwhile, unless it sends very slowly. */
const retryAfter = '2';

function tooMany(whose: string, limit: number): Problem {
  const size = `${Math.round(limit / megabyte)} MB`;
  const message = `The request bodies of ${whose} that are in progress exceed ${size}. Send fewer at a time, or images as URLs or file ids.`;
  return new Problem('rate_limited', { message, headers: { 'Retry-After': retryAfter } });
}
