/** JSON that violates the protocol counts as an unreadable response, not as a bug in our code. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import type { EngineError } from '../../../engines/contract/index.ts';
import { fal } from '../../../engines/upstream/fal/protocol.ts';
import type { QueueProvider } from '../../../engines/upstream/provider.ts';
import { replicate } from '../../../engines/upstream/replicate/protocol.ts';
import { apiKey, image, generousTimeout } from './bench.ts';

const bodies = [
  'null',
  '[]',
  '"x"',
  '7',
  '{}',
  '{"id":{},"request_id":[],"status":{}}',
  '{"id":"../x","request_id":"a/b"}',
  '',
];
const protocols = [
  [replicate, 'owner/name'],
  [fal, 'fal-ai/flux/dev'],
] as const;

test.each(
  protocols.flatMap(([protocol, model]) => bodies.map((body) => [protocol.name, body, protocol, model] as const)),
)('%s reports the response %j as unreadable', async (_, body, protocol, model) => {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = protocol.connect({ name: 'upstream', baseUrl, apiKey }) as QueueProvider;
  const request = {
    model,
    task: 'text-to-image',
    input: { prompt: 'a fox' },
    idempotencyKey: 'k',
    timeout: 90_000,
    confirm: () => Promise.resolve(),
  } as const;
  const calls = [
    () => provider.submit(request, generousTimeout()),
    () => provider.poll(model, 'job', generousTimeout()),
  ];
  for (const call of calls) {
    const error = await call().catch((failed: unknown) => provider.explain(failed));
    expect(error).toMatchObject({ message: 'upstream sent an unreadable response' });
  }
  const large = { ...request, input: { image: await image({ isLarge: true }) } };
  const error = await provider.submit(large, generousTimeout()).catch((failed: unknown) => provider.explain(failed));
  expect((error as EngineError).code).toMatch(/^provider_/);
  // A protocol may ignore the body of this response.
  const ping = await provider.ping(generousTimeout()).catch((failed: unknown) => provider.explain(failed));
  expect((ping as EngineError | undefined)?.code).not.toBe('internal_error');
  await provider.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
