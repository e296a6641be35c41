/**
 * Counts requests and uploaded bytes per minute: in PostgreSQL for all processes, or in memory while PostgreSQL is slow or unavailable.
 * Counts in memory continue from the last count of PostgreSQL.
 */
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';
import { postgresOptions } from '../runtime/postgres-url.ts';
import type { DatabaseAddress } from './database.ts';
import { closeUnusable } from './pool.ts';

/** Seconds in which requests are counted together. */
export const limitWindow = 60;

/** Milliseconds that a request waits for PostgreSQL before it is counted in memory. */
const timeout = 200;
/** Milliseconds between two ticks of `withTimeout`. */
const tick = 10;
/** Milliseconds without queries after a timeout, so that not every request waits. */
const pause = 1000;
/** Maximum connections: the number of names that a process can count at once, because each name has one query at a time. */
const connections = 4;

export interface WindowCount {
  /** Points in this window, including those of this call. */
  count: number;
  /** Milliseconds until the window ends. */
  left: number;
}

export interface Limiter {
  /**
   * Counts points of this name, by default one request. The caller compares the count with its limit.
   * @param limit the limit of the caller; default: none. If this process knows that the name has reached it, the call
   * sends no query and does not change the count
   */
  increment(name: string, points?: number, limit?: number): Promise<WindowCount>;
  /** Returns the last count that this process knows, without a query; 0 when the window has ended. */
  known(name: string): Promise<number>;
  /** Returns the count without adding to it. */
  read(name: string): Promise<WindowCount>;
  close(): Promise<void>;
}

/** @param onFallback receives the error when the process begins to count in memory */
export function openLimiter(
  { url, isPooled }: DatabaseAddress,
  name: string,
  onFallback: (error: unknown) => void,
): Limiter {
  const pool = new pg.Pool({
    ...postgresOptions(url),
    application_name: name,
    max: connections,
    // Connections stay open, because opening one would take too long in a burst.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 2000,
    query_timeout: 2000,
    ...(isPooled !== true && { statement_timeout: 2000 }),
    keepAlive: true,
  });
  // Without a listener, the error of an idle connection would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', closeUnusable);
  // No limit here, because keys have different limits. The library removes rows an hour after their window.
  const counting = { points: Number.MAX_SAFE_INTEGER, duration: limitWindow, keyPrefix: '' };
  // A prepared statement with a name exists on one connection, and a pooler changes the connection.
  const shared = new RateLimiterPostgres({
    ...counting,
    storeClient: isPooled === true ? { query: ({ text, values }: pg.QueryConfig) => pool.query(text, values) } : pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
  });
  const inMemory = new RateLimiterMemory(counting);
  let pausedUntil = 0;

  const consume = async (key: string, points: number) => {
    if (performance.now() < pausedUntil) return inMemory.consume(key, points);
    try {
      const counted = await withTimeout(shared.consume(key, points));
      // At least a millisecond, because the library keeps a count of zero seconds forever.
      await inMemory.set(key, counted.consumedPoints, Math.max(1, counted.msBeforeNext) / 1000);
      return counted;
    } catch (error) {
      pausedUntil = performance.now() + pause;
      onFallback(error);
      return inMemory.consume(key, points);
    }
  };
  // Opens the first connection before the first request.
  void shared.get('').catch(() => undefined);
  // The library removes a window by a timer, which can be late.
  const current = async (key: string) => {
    const last = await inMemory.get(key);
    return last && last.msBeforeNext > 0 ? last : null;
  };
  const known = async (key: string) => (await current(key))?.consumedPoints ?? 0;
  const read = async (key: string) => {
    const counted = await withTimeout(shared.get(key)).catch(() => current(key));
    return { count: counted?.consumedPoints ?? 0, left: counted?.msBeforeNext ?? limitWindow * 1000 };
  };
  const count = oneQueryAtATime(consume);
  return {
    async increment(name, points = 1, limit = Infinity) {
      const last = await current(name);
      if (!last || last.consumedPoints < limit) return count(name, points);
      return { count: last.consumedPoints + points, left: last.msBeforeNext };
    },
    known,
    read,
    close: () => pool.end(),
  };
}

interface Batch {
  /** Points. */
  size: number;
  done: ReturnType<Consume>;
}

type Consume = (key: string, points: number) => Promise<{ consumedPoints: number; msBeforeNext: number }>;

/** Returns a function that sends one query per name at a time. Requests that arrive meanwhile share the next query. */
function oneQueryAtATime(consume: Consume): (name: string, points: number) => Promise<WindowCount> {
  const open = new Map<string, Batch>();
  const pending = new Map<string, Promise<unknown>>();
  const begin = (key: string): Batch => {
    const before = pending.get(key) ?? Promise.resolve();
    const send = (): ReturnType<Consume> => {
      open.delete(key);
      return consume(key, batch.size);
    };
    const batch: Batch = { size: 0, done: before.then(send, send) };
    const forget = () => pending.get(key) === batch.done && pending.delete(key);
    batch.done.then(forget, forget);
    open.set(key, batch);
    pending.set(key, batch.done);
    return batch;
  };
  return async (key, points) => {
    const batch = open.get(key) ?? begin(key);
    const position = (batch.size += points);
    const { consumedPoints, msBeforeNext } = await batch.done;
    return { count: consumedPoints - batch.size + position, left: msBeforeNext };
  };
}

/**
 * Rejects after `timeout`. Counts timer ticks instead of elapsed time, because ticks stop while the process is
 * suspended.
 */
function withTimeout<T>(query: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let ticks = 0;
  const timer = setInterval(() => {
    if (++ticks === timeout / tick) reject(new Error(`PostgreSQL did not count within ${timeout} ms`));
  }, tick);
  return Promise.race([query, late]).finally(() => clearInterval(timer));
}
