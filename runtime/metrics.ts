/** Every metric of ours that Prometheus can read, once. The tables in docs/operating.md are made from it. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

// No label holds what a client can make up: routes are patterns, models are the catalogue's names.

/** Seconds, of what is to take milliseconds. */
const quick = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5];
/** Seconds, of what others take. */
const slow = [0.05, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600];

export function createApiMetrics() {
  const registers = [new Registry()];
  return {
    registers,
    requests: new Counter({
      name: 'atelier_http_requests_total',
      help: 'Answers. `route` is the pattern, `/v1`, or `none`; `status` is `aborted` where the client left first.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    accept: new Histogram({
      name: 'atelier_accept_seconds',
      help: 'From the first byte of a creation to its 202; replays are not among them.',
      labelNames: ['operation'],
      buckets: quick,
      registers,
    }),
    starts: new Histogram({
      name: 'atelier_workflow_start_seconds',
      help: 'What Temporal takes to start a workflow; `outcome` is `ok`, `unavailable` or `error`.',
      labelNames: ['outcome'],
      buckets: quick,
      registers,
    }),
    artworks: new Gauge({
      name: 'atelier_artworks',
      help: 'Artworks and answers that have not ended, from the database: the same from every API.',
      labelNames: ['operation', 'status'],
      registers,
    }),
    oldest: new Gauge({
      name: 'atelier_artworks_oldest_seconds',
      help: 'Age of the oldest of them, by status.',
      labelNames: ['status'],
      registers,
    }),
    stuck: new Gauge({
      name: 'atelier_artworks_stuck',
      help:
        'Artworks that nothing will ever move on: `workflow_gone` has not ended, and no workflow of it runs; ' +
        '`overdue` should have been purged ten minutes ago. Is to be 0.',
      labelNames: ['why'],
      registers,
    }),
    censusFailures: new Counter({
      name: 'atelier_census_failures_total',
      help: 'Times that the three above could not be found out; they are missing then.',
      registers,
    }),
  };
}

export type ApiMetrics = ReturnType<typeof createApiMetrics>;

export function createWorkerMetrics() {
  const registers = [new Registry()];
  return {
    registers,
    ended: new Counter({
      name: 'atelier_artworks_ended_total',
      help: 'Artworks and answers that ended; `code` says why those with status `FAILED` did.',
      labelNames: ['operation', 'status', 'code'],
      registers,
    }),
    engines: new Histogram({
      name: 'atelier_engine_seconds',
      help: 'Tries of calls, from when the engine is at work. `model` is the name in the catalogue.',
      labelNames: ['engine', 'model'],
      buckets: slow,
      registers,
    }),
    engineFailures: new Counter({
      name: 'atelier_engine_failures_total',
      help: 'Tries that came to nothing, by code of the error table, those included that never got to the engine.',
      labelNames: ['engine', 'model', 'code'],
      registers,
    }),
    admission: new Histogram({
      name: 'atelier_admission_wait_seconds',
      help: 'What a call waits for its turn at a provider, or until it gives up; beyond what it waits in the queue.',
      labelNames: ['engine'],
      buckets: slow,
      registers,
    }),
    deliveries: new Counter({
      name: 'atelier_deliveries_total',
      help:
        'Tries to deliver: `delivered`, `gone` (410), `redirect`, `4xx`, `5xx`, `timeout`, `refused_address`, ' +
        'or `unreachable`.',
      labelNames: ['outcome'],
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'atelier_delivery_seconds',
      help: 'What receivers take to answer.',
      buckets: slow,
      registers,
    }),
  };
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** Adds what Node tells of the process: CPU, memory, event loop, garbage collection. */
export function measureProcess({ registers: [register] }: { registers: Registry[] }): void {
  if (register) collectDefaultMetrics({ register });
}
