/** Registers a namespace on a new Temporal server. */
import { isGrpcServiceError } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { grpcStatus } from '../../runtime/grpc-status.ts';
import type { TemporalConnection } from '../../runtime/temporal-settings.ts';
import { withConnection } from '../local/temporal-namespace.ts';

/**
 * Succeeds as well if the namespace exists.
 * @param retention milliseconds for which closed workflows can be read
 * @throws while the server is not ready
 */
export async function registerNamespace(temporal: TemporalConnection, retention: number): Promise<void> {
  const { namespace } = temporal;
  await withConnection(temporal, async ({ workflowService }) => {
    try {
      await workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs(retention) });
    } catch (error) {
      if (!isGrpcServiceError(error) || Number(error.code) !== grpcStatus.alreadyExists) throw error;
    }
  });
}
