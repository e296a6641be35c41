/** Retries a failed artwork: creates a new one from its completed request, seed included. */
import type { Operation } from '../schemas/operation.ts';
import { readImageSource } from '../schemas/image-source.ts';
import { type Author, recordChange } from '../store/audit.ts';
import type { Artwork } from '../store/entities.ts';
import { findKey } from '../store/keys.ts';
import { createArtwork, type Creation } from './create-artwork.ts';
import type { CreationDependencies } from './dependencies.ts';
import { keyStatus } from './key-view.ts';
import { Problem } from './problem.ts';
import { createValidator } from './validate.ts';

/**
 * Creates the artwork with the same key, webhook URL and metadata, at current prices.
 * @throws Problem `conflict` that says why the artwork cannot be retried; any Problem of `createArtwork`
 */
export async function retryArtwork(
  deps: CreationDependencies & { operations: readonly Operation[] },
  artwork: Artwork,
  author: Author,
): Promise<Creation> {
  const { id, status, org, input, metadata, webhookUrl } = artwork;
  if (status !== 'FAILED') throw conflict(`The artwork ${id} is ${status}. Only failed artworks can be retried.`);
  const operation = deps.operations.find(({ name }) => name === artwork.operation);
  if (!operation) throw conflict(`The operation ${artwork.operation} does not exist any more.`);
  const key = await findKey(deps.db, org, artwork.key);
  if (!key) throw conflict(`The key ${artwork.key} does not exist any more.`);
  const state = keyStatus(key, new Date(deps.now()));
  if (state !== 'active') throw conflict(`Its key ${key.id} is ${state}.`);
  if (Object.values(input).flat().some(isStoredImage)) {
    throw conflict('Its images came inside the request and are not kept. The client can send the request again.');
  }
  const validate = createValidator(deps.config).compile(operation.request);
  const body = { ...input, metadata, ...(webhookUrl != null && { webhookUrl }) };
  const at = new Date(deps.now());
  await recordChange(deps.db.em(), author, { org, action: 'artwork.retried', target: id, changes: {}, at });
  try {
    return await createArtwork(deps, operation, {
      key,
      body,
      validate,
      optionFailures: [],
      idempotency: null,
      requestId: null,
      limits: null,
    });
  } catch (cause) {
    const failure = cause instanceof Problem ? cause.fields?.[0] : undefined;
    if (!failure) throw cause;
    throw conflict(`Its request is not valid any more: ${failure.path} ${failure.message}`, cause);
  }
}

/** An image that came inside the request. Its digest is all that is left, and no field accepts a digest. */
const isStoredImage = (value: unknown): boolean =>
  typeof value === 'string' && readImageSource(value)?.kind === 'stored';

const conflict = (message: string, cause?: unknown) => new Problem('conflict', { message, cause });
