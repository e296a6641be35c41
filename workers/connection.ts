/** Connects workers to Temporal, and explains why a connection is rejected. */
import { NativeConnection, TransportError } from '@temporalio/worker';
import type { Logger } from '../runtime/log.ts';
import { StartupError } from '../runtime/startup-error.ts';
import { checkTemporal, connectionOptions } from '../runtime/temporal.ts';
import type { TemporalConnection } from '../runtime/temporal-settings.ts';

/** Milliseconds between two explanations of a lost connection. */
const explanationInterval = 10_000;

/**
 * Checks the namespace first with the client's connection, because the errors of the worker's own connection do not say
 * whether a certificate was rejected.
 * @throws StartupError that names the variable to change
 */
export async function connectWorker(temporal: TemporalConnection): Promise<NativeConnection> {
  const failure = await checkTemporal(temporal);
  if (failure) throw new StartupError(failure.message);
  try {
    return await NativeConnection.connect({ ...connectionOptions(temporal), grpcCompression: { codec: 'none' } });
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    throw new StartupError(`The worker cannot connect to the Temporal server at ${temporal.address}: ${error.message}`);
  }
}

/**
 * Returns a function to call with each warning of the SDK that a running worker cannot reach Temporal. There are dozens
 * a second, so it logs one line in ten seconds: why a new connection fails, or the warning if a new connection works. The
 * worker itself keeps trying to connect.
 */
export function explainLostConnection(temporal: TemporalConnection, log: Logger): (warning: string) => void {
  let explainedAt = -Infinity;
  return (warning) => {
    if (performance.now() - explainedAt < explanationInterval) return;
    explainedAt = performance.now();
    void checkTemporal(temporal).then((failure) => {
      if (failure) log.error({ failure: failure.kind }, failure.message);
      else log.warn({ temporal: true }, warning);
    });
  };
}
