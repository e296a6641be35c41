/** The view of a destination of webhooks that fails. */
import type { WebhookDestination } from '../schemas/webhook-destination.ts';
import { destinationId } from '../store/destinations.ts';
import type { FailingDestination } from '../store/entities.ts';

/** Returns a destination as the API and the operator's command line show it. */
export function viewDestination(row: FailingDestination): WebhookDestination {
  const { org, origin, failingSince, lastFailedAt, failures, lastError, pausedAt } = row;
  return {
    id: destinationId({ org, origin }),
    origin,
    failingSince: failingSince.toISOString(),
    lastFailedAt: lastFailedAt.toISOString(),
    failures,
    lastError,
    pausedAt: pausedAt?.toISOString() ?? null,
  };
}
