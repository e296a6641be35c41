/** Describes an endpoint as data. The router, the access matrix, OpenAPI and GET / use this description. */
import type { TObject, TSchema } from 'typebox';
import type { Access } from './access.ts';
import type { ErrorCode } from './errors.ts';
import type { ObjectKind, Use } from './object-access.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface ResponseDescription {
  description: string;
  /** The schema of the body, or of the data of each event in a stream. Absent when the response has no JSON body. */
  schema?: TSchema;
  /** The content type when it is not JSON: `image/*`, `text/event-stream`. */
  contentType?: string;
  example?: unknown;
  /** Descriptions of additional headers, by name. */
  headers?: Record<string, string>;
}

export interface Endpoint {
  method: Method;
  /** In Express's syntax: `/v2/artworks/:id`. */
  path: string;
  summary: string;
  description?: string;
  /** The heading of the endpoint's group in the documentation. */
  tag: string;
  /** The operation that a creation runs. Its requests are limited and counted as creations. */
  operation?: string;
  /** `public` endpoints need no key. */
  access: Access | 'public';
  /** The use of the object that the path names, of the API key that it creates, or of the objects in the list. */
  uses?: { kind: ObjectKind; use: Use };
  body?: TObject;
  /** Whether a request without a body counts as `{}`. */
  bodyOptional?: boolean;
  bodyExample?: unknown;
  /** Whether the endpoint takes an image file instead of JSON, in a multipart form or as the body itself. */
  takesFile?: boolean;
  query?: TObject;
  /** Request headers. */
  headers?: TObject;
  responses: Record<number, ResponseDescription>;
  /** Errors in addition to those of every endpoint of its kind. */
  errors: ErrorCode[];
}
