/** What an operation file declares. The folder `operations/` is found, not listed: one file adds an endpoint. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Access, Domain } from './access.ts';
import { accepted, artwork } from './artwork.ts';
import { creationQuery, dryRun, idempotencyHeader, preferHeader } from './creation.ts';
import type { Endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import type { Plan } from './plan.ts';
import type { RuleFailure, Size } from './request.ts';
import type { EncodedStyle } from './style-dna.ts';
import type { Written } from './writing.ts';

/** A read-only list that comes with an operation: its styles, its aspect ratios. */
export interface Listing {
  /** Appended to the operation's path: `styles`. */
  name: string;
  summary: string;
  schema: TSchema;
  body: object;
}

/**
 * @typeParam Request the static type of `request`. In the registry, where operations of all types meet, it is any object:
 * callers pass only bodies that the schema accepts.
 * @typeParam Input the completed request
 */
export interface Operation<Request = Record<string, unknown>, Input = Request, Schema extends TObject = TObject> {
  /** The path after `/v2/`, less `artworks/`: `selena`, `style-dna/generate`. */
  name: string;
  domain: Domain;
  summary: string;
  description: string;
  /** JSON Schema of the request body; ajv checks it and fills defaults. */
  request: Schema;
  /** A body that works, for the documentation and the curl line. */
  example: Record<string, unknown>;
  listings: Listing[];
  /** Present: the answer is what the plan's last call has written, given at once; nothing of it is kept. */
  answer?: {
    schema: TSchema;
    example: unknown;
    from(written: Answered, input: Input): object;
  };
  /**
   * Checks what depends on the size of images, as far as sizes are known: those of URLs are not.
   * @param sizes of the upright images, by field
   */
  check?(request: Request, sizes: Readonly<Record<string, Size>>): RuleFailure[];
  /**
   * Fills in what the client left open (a seed, a size), so that the artwork shows what was used.
   * @param random a whole number 0–4294967295
   */
  complete(request: Request, random: () => number): Input;
  /**
   * The calls that make the artwork, from a completed request.
   * @param style that the request names; null where it names none
   */
  plan(input: Input, style: EncodedStyle | null): Plan;
}

/** What a language model has written for an answer. */
export interface Answered extends Written {
  /** Of the answer. */
  id: string;
  model: string;
}

/** Returns the operation, with the parameters of its functions typed from its request schema. */
export function defineOperation<Schema extends TObject, Input extends Static<Schema>>(
  operation: Operation<Static<Schema>, Input, Schema>,
): Operation<Static<Schema>, Input, Schema> {
  return operation;
}

/** The URL of an operation: `/v2/artworks/selena`, `/v2/style-dna/generate`. */
export function operationPath(operation: Pick<Operation, 'name' | 'domain'>): string {
  return operation.domain === 'artworks-internal' ? `/v2/artworks/${operation.name}` : `/v2/${operation.name}`;
}

const tags: Partial<Record<Domain, string>> = { 'style-dna': 'Style DNA', textcraft: 'Language' };

const replayed = { 'Idempotency-Replayed': '`true` when an earlier request with the same Idempotency-Key made it.' };

const made: Endpoint['responses'] = {
  200: {
    description:
      'With `Prefer: wait=N`: the artwork, ended within N seconds (60 at most). With `dryRun=true`: its price.',
    schema: Type.Union([artwork, dryRun]),
    headers: replayed,
  },
  202: { description: 'Accepted: the artwork is stored and will be made.', schema: accepted, headers: replayed },
};

function answered({ schema, example }: NonNullable<Operation['answer']>): Endpoint['responses'] {
  const description = 'The answer. With `dryRun=true`: the most that it can cost.';
  return { 200: { description, schema: Type.Union([schema, dryRun]), example } };
}

/** What an artwork would show as its error, an answer shows as its status. */
const failuresOfAnswers: ErrorCode[] = [
  'insufficient_credits',
  'unavailable',
  'input_invalid',
  'content_refused',
  'provider_rejected',
  'provider_unavailable',
  'provider_timeout',
];

/** The endpoints that come with an operation: its creation and its listings. */
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
    ...(!operation.answer && { headers: Type.Object({ ...idempotencyHeader, ...preferHeader }) }),
    responses: operation.answer ? answered(operation.answer) : made,
    errors: operation.answer ? failuresOfAnswers : ['insufficient_credits', 'idempotency_mismatch', 'unavailable'],
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
