/** The declaration of an operation. Files in `operations/` are discovered, not listed: one file adds an endpoint. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Access, Domain } from './access.ts';
import { accepted, artwork } from './artwork.ts';
import { creationQuery, dryRun, idempotencyHeader, preferHeader, synchronousIdempotencyHeader } from './creation.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Plan } from './plan.ts';
import type { RuleFailure, Size } from './request.ts';
import type { EncodedStyle } from './style-dna.ts';
import type { Written } from './writing.ts';

/** A read-only list of an operation, such as its styles or aspect ratios. */
export interface Listing {
  /** Appended to the operation's path, such as `styles`. */
  name: string;
  summary: string;
  schema: TSchema;
  body: object;
}

/**
 * Declares an operation. Without type arguments, its request type is erased, as in the list of all operations; callers
 * must then pass only bodies that the request schema accepts.
 * @typeParam Request the static type of the request schema
 * @typeParam Input the completed request
 */
export interface Operation<Request = Record<string, unknown>, Input = Request, Schema extends TObject = TObject> {
  /** The path without `/v2/` and `artworks/`: `selena`, `style-dna/generate`. */
  name: string;
  domain: Domain;
  summary: string;
  description: string;
  /** JSON Schema of the request body; ajv validates bodies against it and fills in defaults. */
  request: Schema;
  /** A valid body, for the documentation. */
  example: Record<string, unknown>;
  listings: Listing[];
  /** Present for a synchronous request: its response is built from the text of the plan's last call and is not stored. */
  synchronous?: {
    schema: TSchema;
    example: unknown;
    from(written: WrittenResponse, input: Input): object;
  };
  /**
   * Checks rules that depend on the sizes of images.
   * @param sizes of the upright images, by field; sizes of images behind URLs are not known
   */
  check?(request: Request, sizes: Readonly<Record<string, Size>>): RuleFailure[];
  /**
   * Fills in values that the client omitted, such as a seed, so that the artwork shows the values used.
   * @param random returns a whole number 0–4294967295
   */
  complete(request: Request, random: () => number): Input;
  /**
   * Returns the calls that make the artwork.
   * @param style the encoded style of the request; null if it has none
   */
  plan(input: Input, style: EncodedStyle | null): Plan;
}

/** The text of a language model from which a synchronous response is built. */
export interface WrittenResponse extends Written {
  /** The id of the response. */
  id: string;
  model: string;
}

/** Returns the operation, with the parameters of its functions typed from its request schema. */
export function defineOperation<Schema extends TObject, Input extends Static<Schema>>(
  operation: Operation<Static<Schema>, Input, Schema>,
): Operation<Static<Schema>, Input, Schema> {
  return operation;
}

/** Returns the path of an operation, such as `/v2/artworks/selena` or `/v2/style-dna/generate`. */
export function operationPath(operation: Pick<Operation, 'name' | 'domain'>): string {
  return operation.domain === 'artworks-internal' ? `/v2/artworks/${operation.name}` : `/v2/${operation.name}`;
}

const tags: Partial<Record<Domain, string>> = { 'style-dna': 'Style DNA', textcraft: 'Language' };

const replayed = {
  'Idempotency-Replayed':
    '`true` if an earlier request with the same Idempotency-Key created the artwork or the result.',
};

const artworkResponses: Endpoint['responses'] = {
  200: {
    description: 'With `Prefer: wait=N`, the artwork, if it ended within N seconds. With `dryRun=true`, the price.',
    schema: Type.Union([artwork, dryRun]),
    headers: replayed,
  },
  202: { description: 'The artwork was accepted.', schema: accepted, headers: replayed },
};

function synchronousResponses({ schema, example }: NonNullable<Operation['synchronous']>): Endpoint['responses'] {
  const description = 'The result. With `dryRun=true`, the price.';
  return { 200: { description, schema: Type.Union([schema, dryRun]), example, headers: replayed } };
}

/** Errors in the response to a synchronous request. For other operations, the artwork shows the errors of engines. */
const synchronousErrors: ErrorCode[] = [
  'insufficient_credits',
  'idempotency_mismatch',
  'unavailable',
  'input_invalid',
  'content_refused',
  'provider_rejected',
  'provider_unavailable',
  'provider_timeout',
];

/** Returns the endpoints of an operation: its creation, then its listings. */
export function operationEndpoints(operation: Operation): Endpoint[] {
  const access: Access = { scope: 'generator', domains: [operation.domain] };
  const path = operationPath(operation);
  const tag = tags[operation.domain] ?? 'Create artworks';
  const creation: Endpoint = {
    method: 'POST',
    path,
    tag,
    operation: operation.name,
    summary: operation.summary,
    description: operation.description,
    access,
    body: operation.request,
    bodyExample: operation.example,
    query: creationQuery,
    headers: Type.Object(
      operation.synchronous ? synchronousIdempotencyHeader : { ...idempotencyHeader, ...preferHeader },
    ),
    responses: operation.synchronous ? synchronousResponses(operation.synchronous) : artworkResponses,
    errors: operation.synchronous ? synchronousErrors : ['insufficient_credits', 'idempotency_mismatch', 'unavailable'],
  };
  const listings = operation.listings.map(({ name, summary, schema, body }): Endpoint => ({
    method: 'GET',
    path: `${path}/${name}`,
    tag: 'Styles and aspect ratios',
    summary,
    access,
    responses: { 200: { description: summary, schema, example: body } },
    errors: [],
  }));
  return [creation, ...listings];
}
