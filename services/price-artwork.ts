/** Prices a request without creating anything: `?dryRun=true`. */
import type { DryRun } from '../schemas/creation.ts';
import type { Operation } from '../schemas/operation.ts';
import { fitsCredits } from './creation-limits.ts';
import { type CreationRequest, resolveReferences, validateRequest } from './creation-request.ts';
import type { CreationDependencies } from './dependencies.ts';
import { quoteArtwork } from './quote-artwork.ts';

/**
 * Returns what a request would cost, without creating anything: `?dryRun=true`.
 * @throws Problem `validation_failed`
 */
export async function priceArtwork(
  deps: CreationDependencies,
  operation: Operation,
  request: CreationRequest,
): Promise<DryRun> {
  const { body, failures } = validateRequest(request);
  const references = await resolveReferences(deps, operation, request, body, failures);
  const { key, limits } = request;
  const { price } = quoteArtwork(deps, operation, key, references).quote;
  const { credits: available } = key;
  const sufficient = price <= available && (!limits || (await fitsCredits(deps, limits, key, price)));
  return { dryRun: true, operation: operation.name, credits: { price, available, sufficient } };
}
