/** The view of a destination of webhooks that fails. */
import type { WebhookDestination } from '../schemas/webhook-destination.ts';
import type { FailingDestination } from '../store/entities.ts';

/** Returns a destination as the API and the operator's command line show it. */
export function viewDestination(row: FailingDestination): WebhookDestination {
  const { id, url, failingSince, lastFailedAt, failures, lastError, pausedAt } = row;
  return {
    id,
    url,
    failingSince: failingSince.toISOString(),
    lastFailedAt: lastFailedAt.toISOString(),
    failures,
    lastError,
    pausedAt: pausedAt?.toISOString() ?? null,
  };
}
