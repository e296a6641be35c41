/** TLS of requests to receivers, image URLs and providers: the certificate is verified, and old versions are refused. */
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOutbound } from '../../activities/outbound.ts';
import { createSendOnce } from '../../engines/upstream/send-once.ts';
import { createAuthority } from '../../scripts/local/certificate.ts';

const host = '127.0.0.1';
const trusted = createAuthority('Trusted authority');
const unknown = createAuthority('Unknown authority');
const usual = getCACertificates('default');
const outbound = createOutbound([host]);
const provider = createSendOnce();
const servers: Server[] = [];
let requests = 0;

beforeAll(() => setDefaultCACertificates([...usual, trusted.cert]));
afterAll(async () => {
  setDefaultCACertificates(usual);
  await Promise.all([outbound.close(), provider.close()]);
  for (const server of servers) server.close();
});

/** Starts a server and returns its address. */
async function serve(options: TlsOptions): Promise<string> {
  const server = createServer(options, (_request, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return `https://${host}:${(server.address() as AddressInfo).port}/`;
}

/** Returns the outcome of an event, of the download of an image, and of a request to a provider. */
async function outcomes(url: string): Promise<unknown[]> {
  const bounds = { limit: 1000, timeout: 5000, signal: new AbortController().signal };
  requests = 0;
  const event = await outbound.post(url, {}, '{}', { timeout: 5000 });
  const image = await outbound.get(url, bounds);
  const call = await provider.fetch(url).then(
    ({ status }) => status,
    (error: unknown) => (error as Error).name,
  );
  return [event.error ?? event.status, 'error' in image ? image.error : 'image', call, requests];
}

test('accepts a certificate of a trusted authority for the host, with TLS 1.2 and with TLS 1.3', async () => {
  for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
    const url = await serve({ ...trusted.issue([host]), minVersion: version, maxVersion: version });
    expect([version, ...(await outcomes(url))]).toEqual([version, 200, 'image', 200, 3]);
  }
});

test.each([
  ['of an unknown authority', () => unknown.issue([host])],
  ['for another host', () => trusted.issue(['receiver.example'])],
  ['that has expired', () => trusted.issue([host], -1)],
])('sends nothing to a server with a certificate %s', async (_name, issue) => {
  const refused = 'certificate not accepted';
  expect(await outcomes(await serve(issue()))).toEqual([refused, refused, 'NoResponse', 0]);
});

test('sends nothing over TLS 1.1', async () => {
  const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT:@SECLEVEL=0' } as const;
  const url = await serve({ ...trusted.issue([host]), ...old });
  expect(await outcomes(url)).toEqual(['no valid response', 'no valid response', 'NoResponse', 0]);
});
