/** What one endpoint is, as data: the router, the access matrix, OpenAPI and GET / are all made from it. */
import type { TObject, TSchema } from 'typebox';
import type { Access } from './access.ts';
import type { ErrorCode } from './errors.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface Answer {
  description: string;
  /** Of the body; of a stream the data of each of its events. Absent: an answer without a JSON body. */
  schema?: TSchema;
  /** Other than JSON: `image/*`, `text/event-stream`. */
  contentType?: string;
  example?: unknown;
  /** Headers of its own: descriptions by name. */
  headers?: Record<string, string>;
}

export interface Endpoint {
  method: Method;
  /** Express's spelling: `/v2/artworks/:id`. */
  path: string;
  summary: string;
  description?: string;
  /** Heads the group in the documentation. */
  tag: string;
  /** The operation that it makes something by: such requests are limited and counted as creations. */
  operation?: string;
  /** `public`: no key is needed. */
  access: Access | 'public';
  body?: TObject;
  /** Whether a request without a body counts as `{}`. */
  bodyOptional?: boolean;
  bodyExample?: unknown;
  /** Takes an image file in place of JSON: as a part of a multipart form, or as the body itself. */
  takesFile?: boolean;
  query?: TObject;
  /** Request headers that it takes. */
  headers?: TObject;
  answers: Record<number, Answer>;
  /** Errors of its own, beside those that every endpoint of its kind has. */
  errors: ErrorCode[];
}
