/** Counts in windows of a minute: in PostgreSQL, for all processes together, and in memory while that is slow or away. */
import pg from 'pg';
import { RateLimiterMemory, RateLimiterPostgres } from 'rate-limiter-flexible';

/** Seconds. */
export const limitWindow = 60;

/** Milliseconds that a request waits for PostgreSQL before its own process counts it. */
const patience = 200;
const tick = 10;
/** Milliseconds in which PostgreSQL is left alone after that, so that not every request waits. */
const rest = 1000;
/** A name's row has one query at a time from each process; more connections are for more names. */
const connections = 4;

export interface Taken {
  /** How many were taken in this window, this one included. */
  count: number;
  /** Milliseconds until the window ends. */
  left: number;
}

export interface Limiter {
  /** Counts one more of this name. What the limit is, the caller knows. */
  take(name: string): Promise<Taken>;
  close(): Promise<void>;
}

/** @param onFallback told when PostgreSQL could not be asked */
export function openLimiter(databaseUrl: string, name: string, onFallback: (error: unknown) => void): Limiter {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    application_name: name,
    max: connections,
    // A connection that has to be opened first would come too late for a burst.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 2000,
    query_timeout: 2000,
    statement_timeout: 2000,
    keepAlive: true,
  });
  pool.on('error', () => undefined);
  // It compares with no limit of its own, because those of keys differ. It removes rows an hour after their end.
  const counting = { points: Number.MAX_SAFE_INTEGER, duration: limitWindow, keyPrefix: '' };
  const shared = new RateLimiterPostgres({
    ...counting,
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limit',
    tableCreated: true,
  });
  const own = new RateLimiterMemory(counting);
  let restUntil = 0;

  const consume = async (key: string, points: number) => {
    if (performance.now() < restUntil) return own.consume(key, points);
    try {
      return await inTime(shared.consume(key, points));
    } catch (error) {
      restUntil = performance.now() + rest;
      onFallback(error);
      return own.consume(key, points);
    }
  };
  void shared.get('').catch(() => undefined);
  return { take: together(consume), close: () => pool.end() };
}

interface Batch {
  /** How many have joined it. */
  size: number;
  done: ReturnType<Consume>;
}

type Consume = (key: string, points: number) => Promise<{ consumedPoints: number; msBeforeNext: number }>;

/** Takes of one name that come while one is on its way go together afterwards: a busy row is written once for many. */
function together(consume: Consume): Limiter['take'] {
  const open = new Map<string, Batch>();
  const onTheWay = new Map<string, Promise<unknown>>();
  const begin = (key: string): Batch => {
    const before = onTheWay.get(key) ?? Promise.resolve();
    const send = (): ReturnType<Consume> => {
      open.delete(key);
      return consume(key, batch.size);
    };
    const batch: Batch = { size: 0, done: before.then(send, send) };
    const forget = () => onTheWay.get(key) === batch.done && onTheWay.delete(key);
    batch.done.then(forget, forget);
    open.set(key, batch);
    onTheWay.set(key, batch.done);
    return batch;
  };
  return async (key) => {
    const batch = open.get(key) ?? begin(key);
    const place = ++batch.size;
    const { consumedPoints, msBeforeNext } = await batch.done;
    return { count: consumedPoints - batch.size + place, left: msBeforeNext };
  };
}

/** In ticks, because a process that gets no time to run would else take its own delay for that of PostgreSQL. */
function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let ticks = 0;
  const timer = setInterval(() => {
    if (++ticks === patience / tick) reject(new Error(`PostgreSQL did not count within ${patience} ms`));
  }, tick);
  return Promise.race([answer, late]).finally(() => clearInterval(timer));
}
