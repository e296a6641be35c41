/** Limits the bytes of request bodies that a process holds in memory at a time: per key, per organization and in all. */
import { textBody } from '../../schemas/body-limits.ts';
import { Problem } from '../../services/problem.ts';
import type { ApiKey } from '../../store/entities.ts';

/** Raises the bytes that are reserved for one body to a total. @throws Problem `rate_limited` or `unavailable` */
export type Reserve = (bytes: number) => void;

export interface BytesInFlight {
  /**
   * Runs the work of a request, which can reserve bytes. Releases them when the work ends or fails.
   * @throws the error of `work`
   */
  hold<T>(key: Pick<ApiKey, 'id' | 'org'>, work: (reserve: Reserve) => Promise<T>): Promise<T>;
}

const megabyte = 1024 * 1024;

/**
 * Maximum bytes at a time: two of the largest bodies of a key, three of an organization and five of a process, so that no
 * organization can fill a process. While a body is parsed, it takes up to five times its size (bytes, text and values, of
 * two bytes per character if one is not Latin), and an API has 1 GB.
 */
const limits = {
  key: 64 * megabyte,
  organization: 96 * megabyte,
  process: 192 * megabyte,
  /** The part of the process's limit that bodies over `textBody` can take, so that small ones always fit beside them. */
  large: 160 * megabyte,
};

export function createBytesInFlight(): BytesInFlight {
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
        if (heldBy(process) + more > available) throw full(available);
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

/** The cause is for the log: no part of the service is down. */
function full(limit: number): Problem {
  const cause = new Error(`The request bodies in progress would exceed the ${sizeOf(limit)} of this process`);
  const message =
    'Too many large request bodies are in progress. Send images as URLs or file ids, or try again shortly.';
  return new Problem('unavailable', { message, cause, limit: 'bodyBytes' });
}

/** Seconds before a client should retry. In this time, most bodies arrive. */
const retryAfter = '2';

function tooMany(whose: string, limit: number): Problem {
  const message = `The request bodies of ${whose} that are in progress would exceed ${sizeOf(limit)}. Send fewer at a time, or images as URLs or file ids.`;
  return new Problem('rate_limited', { message, headers: { 'Retry-After': retryAfter }, limit: 'bodyBytes' });
}

const sizeOf = (bytes: number) => `${bytes / megabyte} MB`;
