/** Sends requests to the service, as its clients do. */
import type { Accepted, ArtworkView } from '../../schemas/artwork.ts';

export interface ServiceResponse<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface CallOptions {
  method?: string;
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
}

export async function call<T = Record<string, unknown>>(
  url: string,
  options: CallOptions = {},
): Promise<ServiceResponse<T>> {
  const { method = 'GET', key = null, body, headers = {} } = options;
  const response = await fetch(url, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return {
    status: response.status,
    headers: response.headers,
    body: (isJson && text !== '' ? JSON.parse(text) : text) as T,
  };
}

interface Service {
  baseUrl: string;
  adminKey: string;
}

/** Creates an artwork. @throws Error when the response is not a 202 */
export async function create(
  { baseUrl, adminKey }: Service,
  body: Record<string, unknown>,
  operation = 'selena',
): Promise<Accepted> {
  const response = await call<Accepted>(`${baseUrl}/v2/artworks/${operation}`, { method: 'POST', key: adminKey, body });
  if (response.status !== 202) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
  return response.body;
}

export async function read({ baseUrl, adminKey }: Service, id: string): Promise<ArtworkView> {
  return (await call<ArtworkView>(`${baseUrl}/v2/artworks/${id}`, { key: adminKey })).body;
}

/** Polls the artwork until it has ended. */
export async function ended(service: Service, id: string, timeout = 55_000): Promise<ArtworkView> {
  const deadline = Date.now() + timeout;
  for (;;) {
    const artwork = await read(service, id);
    if (artwork.finishedAt) return artwork;
    if (Date.now() > deadline) throw new Error(`${id} is still ${artwork.status}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
