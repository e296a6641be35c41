/** Builds the OpenAPI 3.1 document from the endpoints and the JSON Schemas that validate their requests. */
import type { TObject } from 'typebox';
import { artworkEvent } from '../../schemas/artwork.ts';
import { limitBody } from '../../schemas/body-limits.ts';
import type { Endpoint, ResponseDescription } from '../../schemas/endpoint.ts';
import { type ErrorCode, errors } from '../../schemas/errors.ts';
import { imageTypes } from '../../schemas/image.ts';
import { webhookHeaders } from '../../schemas/webhook.ts';
import { components, plain } from './components.ts';

const problem = {
  type: 'object',
  required: ['status', 'message', 'code', 'requestId'],
  additionalProperties: false,
  properties: {
    status: { type: 'integer' },
    message: { type: 'string' },
    code: { type: 'string', enum: Object.keys(errors) },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      description: 'Every field that is wrong.',
      items: {
        type: 'object',
        required: ['path', 'rule', 'message'],
        additionalProperties: false,
        properties: {
          path: { type: 'string', description: 'JSON pointer of the field; empty for the whole body.' },
          rule: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
};

const headers = {
  'RateLimit-Policy': {
    description: 'The limit that applies to the request, per minute: `"creations";q=600;w=60`.',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'The requests that are left, and the seconds until the limit resets: `"creations";r=599;t=60`.',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

/** The headers of every response to a request with a key. */
const limited = referTo('RateLimit-Policy', 'RateLimit');

function referTo(...names: (keyof typeof headers)[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export function openApi(endpoints: readonly Endpoint[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[endpoint.method.toLowerCase()] = operationOf(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Atelier',
      version,
      description:
        'Image and language models behind one API. A creation returns 202. The result arrives in one signed webhook, ' +
        'or you read the artwork.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    webhooks: { artworkFinished: { post: webhook() } },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: atl_… or att_…' } },
      headers,
      schemas: { Problem: problem, ...components() },
    },
  };
}

function operationOf(endpoint: Endpoint): object {
  const { summary, description, tag, access, body, bodyOptional, bodyExample, takesFile, query, headers, responses } =
    endpoint;
  const requirement =
    access === 'public'
      ? ''
      : `Requires the scope ${access.scope}${access.domains ? ` and the domain ${access.domains.join(' or ')}` : ''}.`;
  return {
    operationId: operationId(endpoint),
    tags: [tag],
    summary,
    description: [description, requirement].filter(Boolean).join('\n\n'),
    ...(access === 'public' && { security: [] }),
    parameters: [...pathParameters(endpoint.path), ...parameters('query', query), ...parameters('header', headers)],
    ...(body && {
      requestBody: {
        required: !bodyOptional,
        description: `JSON in UTF-8, uncompressed (otherwise 415), of at most ${limitBody(body).text} (otherwise 413).`,
        content: json(plain(body), bodyExample),
      },
    }),
    ...(takesFile && { requestBody: { required: true, content: fileContent() } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, { description, headers: own, ...content }]) => [
          status,
          {
            description,
            ...((own || access !== 'public') && {
              headers: { ...(access !== 'public' && limited), ...(own && responseHeaders(own)) },
            }),
            ...contentOf(content),
          },
        ]),
      ),
      ...problems(endpoint),
    },
  };
}

function contentOf({
  schema,
  contentType,
  example,
}: Pick<ResponseDescription, 'schema' | 'contentType' | 'example'>): object {
  if (contentType) return { content: { [contentType]: schema ? { schema: plain(schema) } : {} } };
  return schema ? { content: json(plain(schema), example) } : {};
}

/** `POST /v2/artworks/:id/x-y` → `postArtworksIdXY`. */
function operationId({ method, path }: Endpoint): string {
  const words = path.replace('/v2/', '').split(/\W+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function parameters(place: 'query' | 'header', fields: TObject | undefined): object[] {
  return Object.entries(fields?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: place,
    required: fields?.required?.includes(name) ?? false,
    schema: plain(schema),
  }));
}

function responseHeaders(descriptions: Record<string, string>): object {
  const header = (description: string) => ({ description, schema: { type: 'string' } });
  return Object.fromEntries(Object.entries(descriptions).map(([name, text]) => [name, header(text)]));
}

function problems({ access, body, errors: own }: Endpoint): Record<string, object> {
  const codes: ErrorCode[] = [
    ...(access === 'public'
      ? []
      : (['invalid_api_key', 'key_revoked', 'key_expired', 'insufficient_scope', 'rate_limited'] as const)),
    ...(access !== 'public' && access.domains ? (['insufficient_domain'] as const) : []),
    ...(body ? (['validation_failed', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ...own,
    'internal_error',
    'unavailable',
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      String(status),
      {
        description: group.join(', '),
        ...(status === errors.rate_limited.status && {
          headers: { ...limited, ...referTo('Retry-After') },
        }),
        content: json({ $ref: '#/components/schemas/Problem' }),
      },
    ]),
  );
}

/** A file in a multipart form, or as the body itself. */
function fileContent(): object {
  const raw = [...imageTypes, 'application/octet-stream'].map((type) => [type, {}] as const);
  const form = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
  return { 'multipart/form-data': { schema: form }, ...Object.fromEntries(raw) };
}

function webhook(): object {
  return {
    summary:
      'An artwork has ended. Sent to its webhookUrl until the receiver returns a 2xx, always with the same eventId and bytes.',
    parameters: Object.values(webhookHeaders).map((name) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { content: json(plain(artworkEvent)) },
    responses: { '2XX': { description: 'Received.' }, '410': { description: 'Stop sending this event.' } },
  };
}

const json = (schema: unknown, example?: unknown) => ({
  'application/json': { schema, ...(example !== undefined && { example }) },
});
