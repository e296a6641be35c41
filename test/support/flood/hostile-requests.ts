/** Hostile requests, as scanners, key guessers and clients beyond their limits send them. */
import type { Flood } from './flood.ts';

/**
 * Returns the requests by kind. They come from addresses that a trusted proxy reports.
 * @param limitedKey a valid key that may send few requests per minute
 */
export function hostileRequests(limitedKey: string): Record<string, Flood['requests']> {
  const limited = { from: '203.0.113.9', authorization: `Bearer ${limitedKey}` };
  return {
    'paths that do not exist': [httpRequest('GET /wp-login.php', { from: '203.0.113.7' })],
    'no key': [httpRequest('GET /v2/artworks', { from: '203.0.113.7' })],
    'random keys, one address': [httpRequest('GET /v2/artworks', { from: '203.0.113.8', authorization: unknown })],
    'random keys, random addresses': [httpRequest('GET /v2/artworks', { from: '{address}', authorization: unknown })],
    'reads of a key beyond its limit': [httpRequest('GET /v2/artworks', limited)],
    'creations of a key beyond its limit': [
      httpRequest('POST /v2/artworks/selena', limited, { prompt: 'a lighthouse on a cliff at dusk' }),
    ],
  };
}

const unknown = 'Bearer {key}';

/**
 * Returns the text of an HTTP request.
 * @param from the address of the client
 */
export function httpRequest(
  line: string,
  { from, authorization }: { from: string; authorization?: string },
  body?: object,
): string {
  const content = body ? JSON.stringify(body) : '';
  const fields = [
    'host: localhost',
    `x-forwarded-for: ${from}`,
    ...(authorization === undefined ? [] : [`authorization: ${authorization}`]),
    ...(body ? ['content-type: application/json', `content-length: ${Buffer.byteLength(content)}`] : []),
  ];
  return `${line} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n${content}`;
}
