/** Connects the API and the operator to Temporal. Workers use a `NativeConnection`, which reconnects by itself. */
import { hostname } from 'node:os';
import {
  Connection,
  type ConnectionLike,
  type ConnectionOptions,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';
import { timeLeft } from './deadline.ts';
import { explainTemporalError, type TemporalFailure } from './temporal-errors.ts';
import type { TemporalConnection } from './temporal-settings.ts';

/** Milliseconds for each request of a check. */
const checkTimeout = 5000;

/** Returns the name by which operators recognize this process in Temporal. In containers, many processes have the same pid. */
export const processIdentity = (name: string): string => `${name}-${process.pid}@${hostname()}`;

/** Returns the options that connections of the client and of workers share. */
export function connectionOptions({ address, tls, apiKey, metadata }: TemporalConnection) {
  return { address, tls, ...(apiKey !== undefined && { apiKey }), ...(metadata && { metadata }) };
}

/**
 * Returns a connection that opens at its first request, so that a process can start while Temporal is down. Meanwhile,
 * each request fails within about a second. By default, requests would be repeated for more than 20 seconds, and gRPC
 * would wait up to two minutes before it reconnects.
 */
export function connectToTemporal(
  temporal: TemporalConnection,
  channelArgs: ConnectionOptions['channelArgs'] = {
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
  },
): Connection {
  const retry = defaultGrpcRetryOptions({ maxAttempts: 5, initialIntervalMs: () => 100 });
  return Connection.lazy({
    ...connectionOptions(temporal),
    channelArgs,
    interceptors: [makeGrpcRetryInterceptor(retry)],
  });
}

/** Calls Temporal within a timeout and the deadline of the request. @param timeout milliseconds */
export const callTemporal = <T>(connection: ConnectionLike, timeout: number, work: () => Promise<T>): Promise<T> =>
  connection.withDeadline(Date.now() + timeLeft(timeout), work);

/** Returns why the namespace cannot be used; null if it can. */
export async function checkTemporal(temporal: TemporalConnection): Promise<TemporalFailure | null> {
  const connection = connectToTemporal(temporal);
  try {
    await connection.withDeadline(Date.now() + checkTimeout, () =>
      connection.workflowService.describeNamespace({ namespace: temporal.namespace }),
    );
    return null;
  } catch (error) {
    const unknown = { kind: 'other' as const, message: error instanceof Error ? error.message : String(error) };
    return explainTemporalError(error, temporal) ?? unknown;
  } finally {
    await connection.close();
  }
}
