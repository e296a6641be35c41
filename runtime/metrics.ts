/** All Prometheus metrics of the service. The tables in docs/operating.md are generated from this file. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { limitNames, otherLimits } from '../schemas/limits.ts';

// A client cannot create label values: routes are patterns, and models are names in the catalogue.

/** Seconds, for durations of milliseconds. */
const quick = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5];
/** Seconds, for providers and receivers. */
const slow = [0.05, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600];

/** The reasons for which requests are not authenticated (the first six) or not authorized. */
const authenticationFailureReasons = [
  ...(['missing', 'malformed', 'unknown', 'revoked', 'expired', 'address'] as const),
  ...(['scope', 'domain', 'environment'] as const),
];
export type AuthenticationFailureReason = (typeof authenticationFailureReasons)[number];

export function createApiMetrics() {
  const registers = [new Registry()];
  const authenticationFailures = new Counter({
    name: 'atelier_authentication_failures_total',
    help:
      'Requests that were rejected for their key, also those that got 429 in place of 401. `reason`: the key is `missing`, ' +
      '`malformed`, `unknown`, `revoked`, `expired`, or used from another `address`; or it lacks the `scope`, the `domain` or the `environment`.',
    labelNames: ['reason'],
    registers,
  });
  const limitsExceeded = new Counter({
    name: 'atelier_limits_exceeded_total',
    help:
      'Requests that were rejected because they exceed a limit. `limit` is the name of a limit of organizations, ' +
      '`keyCreations`, `keyRequests` or `keyStreams` for a limit of a key, `unauthorized` for that of an address, ' +
      '`bodyBytes` for the bytes of bodies in progress, or `creationsAtOnce` for creations that find the queue full or wait too long.',
    labelNames: ['limit'],
    registers,
  });
  // Prometheus does not see an increase from no value to 1.
  for (const reason of authenticationFailureReasons) authenticationFailures.inc({ reason }, 0);
  for (const limit of [...limitNames, ...otherLimits]) limitsExceeded.inc({ limit }, 0);
  return {
    registers,
    limitsExceeded,
    requests: new Counter({
      name: 'atelier_http_requests_total',
      help: 'HTTP responses. `route` is the pattern, `/v1` or `none`; `status` is `aborted` if the client disconnected first.',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    authenticationFailures,
    connectionsRejected: new Counter({
      name: 'atelier_connections_rejected_total',
      help: 'Connections that were rejected because the API process had reached its maximum.',
      registers,
    }),
    accept: new Histogram({
      name: 'atelier_accept_seconds',
      help: 'Time from the first byte of a creation to its 202, without replayed requests.',
      labelNames: ['operation'],
      buckets: quick,
      registers,
    }),
    starts: new Histogram({
      name: 'atelier_workflow_start_seconds',
      help: 'Time that Temporal takes to start a workflow. `outcome` is `ok`, `unavailable` or `error`.',
      labelNames: ['outcome'],
      buckets: quick,
      registers,
    }),
    artworks: new Gauge({
      name: 'atelier_artworks',
      help: 'Unfinished artworks and synchronous requests, from the database: every API process reports the same value.',
      labelNames: ['operation', 'status'],
      registers,
    }),
    oldest: new Gauge({
      name: 'atelier_artworks_oldest_seconds',
      help: 'Age of the oldest unfinished artwork or synchronous request.',
      labelNames: ['status'],
      registers,
    }),
    stuck: new Gauge({
      name: 'atelier_artworks_stuck',
      help:
        'Artworks that nothing will continue: `workflow_gone` is unfinished without a running workflow; ' +
        '`undelivered` has ended, its event is due, and it has no running workflow; `overdue` is still there ten minutes after its expiry. Should be 0.',
      labelNames: ['why'],
      registers,
    }),
    censusFailures: new Counter({
      name: 'atelier_census_failures_total',
      help: 'Failed refreshes of `atelier_artworks`, `atelier_artworks_oldest_seconds` and `atelier_artworks_stuck`, which are then missing.',
      registers,
    }),
  };
}

export type ApiMetrics = ReturnType<typeof createApiMetrics>;

/** The outcomes of delivery attempts that their receiver has not accepted. */
const failedOutcomes = ['gone', 'redirect', '4xx', '5xx', 'timeout', 'refused_address', 'unreachable', 'paused'];

export function createWorkerMetrics() {
  const registers = [new Registry()];
  const givenUp = new Counter({
    name: 'atelier_events_given_up_total',
    help:
      'Events that their receiver has not accepted and that are not attempted again: after the last attempt of the ' +
      'schedule, or after a 410 (`gone`). `outcome` is that of the last attempt.',
    labelNames: ['outcome'],
    registers,
  });
  // Prometheus does not see an increase from no value to 1.
  for (const outcome of failedOutcomes) givenUp.inc({ outcome }, 0);
  return {
    registers,
    ended: new Counter({
      name: 'atelier_artworks_ended_total',
      help: 'Ended artworks and synchronous requests. `code` is the error code for status `FAILED`.',
      labelNames: ['operation', 'status', 'code'],
      registers,
    }),
    engines: new Histogram({
      name: 'atelier_engine_seconds',
      help: 'Time that an engine works on one attempt of a call. `model` is the name in the catalogue.',
      labelNames: ['engine', 'model'],
      buckets: slow,
      registers,
    }),
    engineFailures: new Counter({
      name: 'atelier_engine_failures_total',
      help: 'Failed attempts of calls by error code, including attempts that did not reach the engine.',
      labelNames: ['engine', 'model', 'code'],
      registers,
    }),
    repeatedSubmissions: new Counter({
      name: 'atelier_repeated_submissions_total',
      help:
        'Submissions of calls to a provider that may already have charged for an earlier one, because its worker died or ' +
        'its response was lost. Each may be paid for twice.',
      labelNames: ['engine', 'model'],
      registers,
    }),
    undiscardedJobs: new Counter({
      name: 'atelier_undiscarded_jobs_total',
      help:
        'Obsolete jobs whose provider has confirmed neither the cancellation nor the deletion of copies for eight days. ' +
        'No further request is sent.',
      labelNames: ['engine'],
      registers,
    }),
    admission: new Histogram({
      name: 'atelier_admission_wait_seconds',
      help: 'Time that a call waits for its start at a provider, after its wait in the queue: the time between two starts, if there is a rate.',
      labelNames: ['engine'],
      buckets: slow,
      registers,
    }),
    deliveries: new Counter({
      name: 'atelier_deliveries_total',
      help:
        'Delivery attempts. `outcome` is `delivered`, `gone` (410), `redirect`, `4xx`, `5xx`, `timeout`, ' +
        '`refused_address`, `unreachable`, or `paused`: not made, because the destination is paused.',
      labelNames: ['outcome'],
      registers,
    }),
    givenUp,
    auditSealed: new Gauge({
      name: 'atelier_audit_sealed_timestamp_seconds',
      help:
        'Unix time before which all entries of the audit log are sealed, as workers with the role `workflows` check it ' +
        'every minute; 0 in other workers.',
      registers,
    }),
    pausedDestinations: new Counter({
      name: 'atelier_paused_destinations_total',
      help: 'Destinations of webhooks that were paused because their deliveries have failed for days.',
      registers,
    }),
    deliverySeconds: new Histogram({
      name: 'atelier_delivery_seconds',
      help: 'Time that receivers take to respond.',
      buckets: slow,
      registers,
    }),
  };
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** Adds Node's metrics of the process: CPU, memory, event loop, garbage collection. */
export function measureProcess({ registers: [register] }: { registers: Registry[] }): void {
  if (register) collectDefaultMetrics({ register });
}
