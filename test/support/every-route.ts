/** Sends one valid request to every public route, to find out how the routes behave together. */
import type { Endpoint, Method } from '../../schemas/endpoint.ts';
import type { Operation } from '../../schemas/operation.ts';
import { allEndpoints, findOperations } from '../../services/operations.ts';
import { operator } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { destinationOf, recordFailure } from '../../store/destinations.ts';
import { rotateSigningKey } from '../../store/signing-keys.ts';
import { openVault } from '../../store/vault.ts';
import { call, create, ended } from './client.ts';
import { drawn } from './pictures.ts';
import type { Stack } from './stack.ts';
import { encodedStyle } from './styles.ts';
import { createTestKey } from './test-key.ts';
import { createTestOrganization } from './test-organization.ts';
import { uploadedFile } from './uploads.ts';

export interface RouteResponse {
  /** `POST /v2/artworks/selena`. */
  route: string;
  status: number;
  /** Milliseconds. */
  took: number;
  /** The id of the artwork that a creation has made. */
  created: string | null;
}

/** The requests of one round. Rounds share nothing that a request changes. */
export type Round = () => Promise<RouteResponse[]>;

const operations = await findOperations();
const endpoints = allEndpoints(operations);
const png = await drawn(128, 128).png().toBuffer();
const image = `data:image/png;base64,${png.toString('base64')}`;

/**
 * Creates what the requests of a round name, and returns a function that sends all of them at once.
 * @param stack one whose artworks of `hamilton` never end
 * @param baseUrl the API that gets the requests
 */
export async function prepareRound(
  stack: Stack,
  db: Database,
  webhookUrl: string,
  baseUrl = stack.baseUrl,
): Promise<Round> {
  const { orgId } = stack;
  const body = { prompt: 'a boat on a lake', width: 256, height: 256, webhookUrl };
  const owner = await createTestKey(db, { orgId });
  const newStyle = () => encodedStyle(db, { org: orgId, key: owner.id });
  const [read, removed, redelivered] = await Promise.all([0, 1, 2].map(async () => (await create(stack, body)).id));
  const running = (await create(stack, body, 'hamilton')).id;
  const finished = await ended(stack, read ?? '');
  await Promise.all([removed, redelivered].map((id) => ended(stack, id ?? '')));
  const [style, removedStyle, revoked] = await Promise.all([newStyle(), newStyle(), createTestKey(db, { orgId })]);
  const [file, removedFile] = await Promise.all([0, 1].map(() => uploadedFile(db, { org: orgId, key: owner.id })));
  const failing = destinationOf({
    ...{ org: orgId, environment: 'live' },
    webhookUrl: `https://example.com/${owner.id}`,
  });
  const expiresAt = new Date(Date.now() + 3_600_000);
  await recordFailure(db, failing, {
    artwork: read ?? '',
    error: 'timeout',
    now: new Date(),
    expiresAt,
    pauseAfter: null,
  });
  const signers: Partial<Record<Method, Caller>> = {
    GET: await newSigner(db, stack),
    DELETE: await newSigner(db, stack),
  };
  const callerOf = ({ method, path }: Endpoint): Caller =>
    (path.endsWith('/webhook-signing-key') ? signers[method] : undefined) ?? stack;
  const link = new URL(finished.images[0]?.url ?? '');
  const pathOf = (endpoint: Endpoint) => {
    const { method, path } = endpoint;
    if (path.includes(':name')) return `${link.pathname}${link.search}`;
    const isArtwork = path.startsWith('/v2/artworks/:id');
    const acted: Record<string, string | undefined> = {
      'DELETE /v2/artworks/:id': removed,
      'POST /v2/artworks/:id/redeliver': redelivered,
      'POST /v2/artworks/:id/cancel': running,
    };
    const isRemoved = method === 'DELETE';
    const styleId = isRemoved ? removedStyle : style;
    const fileId = isRemoved ? removedFile : file;
    const inputId = path.startsWith('/v2/files') ? fileId : styleId;
    return path
      .replace(':orgId', callerOf(endpoint).orgId)
      .replace(':keyId', method === 'DELETE' ? revoked.id : owner.id)
      .replace(/:id\b/, (isArtwork ? (acted[`${method} ${path}`] ?? read) : inputId) ?? '');
  };
  const send = async (endpoint: Endpoint): Promise<RouteResponse> => {
    const { method, path, takesFile } = endpoint;
    const { adminKey } = callerOf(endpoint);
    const sent = operations.find(({ name }) => name === endpoint.operation);
    const content = sent ? bodyOf(sent, style) : bodies[`${method} ${path}`];
    const began = performance.now();
    const response = await (takesFile
      ? fetch(`${baseUrl}${path}`, {
          method,
          headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'image/png' },
          body: new Uint8Array(png),
        })
      : fetchStart(`${baseUrl}${pathOf(endpoint)}`, method, adminKey, content));
    const took = Math.round(performance.now() - began);
    const created = /art_\w+/.exec(response.headers.get('location') ?? '')?.[0] ?? null;
    return { route: `${method} ${path}`, status: response.status, took, created };
  };
  const others = async (path: string): Promise<RouteResponse> => {
    const began = performance.now();
    const { status } = await call(`${baseUrl}${path}`);
    return { route: `GET ${path}`, status, took: Math.round(performance.now() - began), created: null };
  };
  const bodies: Record<string, unknown> = {
    'POST /v2/organizations/:orgId/api-keys': { label: 'a', scope: 'generator', domains: ['studio'] },
    'PATCH /v2/organizations/:orgId/api-keys/:keyId': { label: 'b' },
    'PATCH /v2/artworks/:id': { webhookUrl },
    'POST /v2/organizations/:orgId/webhook-destinations/resume': { id: failing.id },
  };
  return () => Promise.all([...endpoints.map(send), ...['/', '/health', '/health/live', '/v1/x'].map(others)]);
}

/** An organization, and an admin key of it. */
type Caller = Pick<Stack, 'orgId' | 'adminKey'>;

/** Returns an organization with a signing key. It has only one, so two requests that need it cannot share it. */
async function newSigner(db: Database, { secret }: Stack): Promise<Caller> {
  const { orgId } = await createTestOrganization(db, secret);
  await rotateSigningKey(db, openVault(secret), { org: orgId, gracePeriodSeconds: 0, now: new Date() }, operator);
  return { orgId, adminKey: (await createTestKey(db, { orgId, scope: 'admin' })).apiKey };
}

/** Sends a request and reads only the head of the response, because a stream of events never ends. */
async function fetchStart(url: string, method: string, key: string, content: unknown): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(content !== undefined && { 'content-type': 'application/json' }),
    },
    ...(content !== undefined && { body: JSON.stringify(content) }),
  });
  await response.body?.cancel();
  return response;
}

/** Returns the operation's example, with images and a style that exist. */
function bodyOf({ example }: Operation, style: string): Record<string, unknown> {
  const named = Object.entries(example).map(([name, value]) => {
    if (name === 'styleDnaId') return [name, style];
    if (name === 'webhookUrl') return [name, undefined];
    if (typeof value === 'string' && /^(https?:|file_|data:)/.test(value)) return [name, image];
    if (Array.isArray(value) && typeof value[0] === 'string' && /^(https?:|file_)/.test(value[0]))
      return [name, [image]];
    return [name, value];
  });
  return Object.fromEntries(named) as Record<string, unknown>;
}
