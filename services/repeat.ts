/** Makes what an artwork was asked for once more, as a new artwork: the request as it was completed, its seed included. */
import type { Operation } from '../schemas/operation.ts';
import { readImageSource } from '../schemas/image-source.ts';
import type { Artwork, ApiKey } from '../store/entities.ts';
import { type Acceptance, accept } from './create-artwork.ts';
import type { CreationDependencies } from './dependencies.ts';
import { takeIn } from './intake.ts';
import { createValidator } from './validate.ts';

const isStored = (value: unknown): boolean => typeof value === 'string' && readImageSource(value)?.kind === 'stored';

/**
 * For the same key, receiver and metadata, at the prices of today.
 * @throws Error that says why the request cannot be made again; Problem as a creation does
 */
export async function repeat(
  deps: CreationDependencies,
  operation: Operation,
  key: ApiKey,
  { input, metadata, webhookUrl }: Artwork,
): Promise<Acceptance> {
  const request = { ...input, metadata, ...(webhookUrl != null && { webhookUrl }) };
  // Images that came inside a request went when it ended: what is left of them is a digest, which no field takes.
  if (Object.values(input).flat().some(isStored)) {
    throw new Error(
      'It was made from images that came inside its request, which are not kept. Its client can send it again.',
    );
  }
  const { allowedHosts } = deps.config;
  const faults = createValidator(allowedHosts).compile(operation.request)(request);
  const intake = await takeIn(deps, operation, key, request, faults);
  const [first] = [...faults, ...intake.failures];
  if (first) throw new Error(`Its request cannot be made again: ${first.path} ${first.message}`);
  return accept(deps, operation, { key, intake, idempotency: null, requestId: null });
}
