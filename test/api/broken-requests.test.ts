/** Broken HTTP: each request gets an error in the common shape and disturbs no other response. */
import { connect } from 'node:net';
import { beforeAll, expect, test } from '@jest/globals';
import { create } from '../support/client.ts';
import { rawBytes } from '../support/raw.ts';
import { joinService } from '../support/shared.ts';
import type { Service } from '../support/stack.ts';

let service: Service;

beforeAll(async () => {
  service = await joinService('accepting');
});

const chunked = 'POST /v2/artworks/selena HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n';
test.each([
  ['a header of 64 KB', 431, `GET / HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(65_536)}\r\n\r\n`],
  ['5000 headers', 431, `GET / HTTP/1.1\r\nhost: a\r\n${'a: b\r\n'.repeat(5000)}\r\n`],
  ['a path of 64 KB', 431, `GET /${'a'.repeat(65_536)} HTTP/1.1\r\nhost: a\r\n\r\n`],
  ['no HTTP at all', 400, 'hello\r\n\r\n'],
  ['no host', 400, 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['two lengths', 400, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}'],
  [
    'a length beside chunks',
    400,
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'chunks that another encoding follows',
    400,
    'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n',
  ],
  [
    'a bad chunk',
    400,
    () => `${chunked}content-type: application/json\r\nauthorization: Bearer ${service.adminKey}\r\n\r\nzz\r\n`,
  ],
  ['an unknown method', 400, 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n'],
])('%s gets a 4xx in the common shape of errors', async (_name, status, bytes) => {
  const response = await rawBytes(service.baseUrl, typeof bytes === 'string' ? bytes : bytes());
  expect(response).toMatch(/^HTTP\/1.1 4\d\d /);
  const [head = '', body = ''] = response.split('\r\n\r\n');
  const requestId = /^X-Request-Id: (req_[0-9A-Z]{26})\r?$/m.exec(head)?.[1];
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
  expect(head).toMatch(/^Connection: close\r?$/m);
  expect(JSON.parse(body)).toEqual({
    status,
    message: expect.stringMatching(/^[A-Z].*\.$/),
    code: 'validation_failed',
    requestId: expect.stringMatching(requestId!),
    errors: [{ path: expect.any(String), rule: expect.any(String), message: expect.any(String) }],
  });
});

test('broken HTTP after a request for events puts no response into the stream', async () => {
  const { id } = await create(service, { prompt: 'a fox' });
  const { hostname, port } = new URL(service.baseUrl);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let received = '';
  socket.on('data', (chunk: string) => {
    if (!received.includes('event: status') && `${received}${chunk}`.includes('event: status'))
      socket.write('hello\r\n\r\n');
    received += chunk;
  });
  const path = `/v2/artworks/${id}/events`;
  socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.adminKey}\r\n\r\n`);
  await new Promise((resolve) => socket.on('error', () => undefined).once('close', resolve));
  expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
});

test.each([
  ['is malformed', 3, 'hello\r\n\r\n'],
  // Longer than the 25 seconds that a client has at most for the headers.
  ['does not arrive in time', 30, 'GET /health HTTP/1.1\r\n'],
])(
  'a request that %s does not take the place of an earlier response',
  async (_name, wait, later) => {
    const body = JSON.stringify({ prompt: 'a fox' });
    const head = [
      'POST /v2/artworks/selena HTTP/1.1',
      'host: a',
      `authorization: Bearer ${service.adminKey}`,
      'content-type: application/json',
      `prefer: wait=${wait}`,
      `content-length: ${body.length}`,
    ];
    const response = await rawBytes(service.baseUrl, `${head.join('\r\n')}\r\n\r\n${body}${later}`);
    expect(response).toMatch(/^HTTP\/1\.1 202 /);
    expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
  },
  60_000,
);
