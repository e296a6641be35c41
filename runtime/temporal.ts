/** Connects the API and the operator to Temporal. Workers use a `NativeConnection`, which reconnects by itself. */
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/**
 * Returns a connection that opens at its first request, so that a process can start while Temporal is down. Meanwhile,
 * each request fails within about a second. By default, requests would be repeated for more than 20 seconds, and gRPC
 * would wait up to two minutes before it reconnects.
 */
export function connectToTemporal(address: string): Connection {
  const channelArgs = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1000 };
  const retry = defaultGrpcRetryOptions({ maxAttempts: 5, initialIntervalMs: () => 100 });
  return Connection.lazy({ address, channelArgs, interceptors: [makeGrpcRetryInterceptor(retry)] });
}
