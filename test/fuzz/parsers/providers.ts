/** Responses of every provider, with statuses of successes and failures. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../../../engines/contract/index.ts';
import { readErrorBody } from '../../../engines/upstream/error-body.ts';
import { find } from '../../../engines/upstream/pointer.ts';
import type { Protocol, Provider, ProviderRequest } from '../../../engines/upstream/provider.ts';
import { loadProtocol, type ProtocolName } from '../../../engines/upstream/protocols.ts';
import { retryAfter } from '../../../engines/upstream/retry-after.ts';
import { Violation } from '../measure.ts';
import { type Parser, type Table, bytesOf } from '../parser.ts';

interface Case {
  model: string;
  /** The modules that read the responses. */
  modules: readonly string[];
  /** Valid bodies of responses, to any request of the protocol. */
  examples: readonly unknown[];
}

const openAi = [
  { created: 1, data: [{ b64_json: 'aGVsbG8=', revised_prompt: 'a' }], usage: { total_tokens: 1 } },
  { error: { message: 'm', type: 'image_generation_user_error', code: 'moderation_blocked' } },
];

const sdk = ['engines/upstream/sdk-provider.ts', 'engines/upstream/sdk-failures.ts', 'engines/upstream/connection.ts'];
const sendOnce = 'engines/upstream/send-once.ts';

const cases: Record<ProtocolName, Case> = {
  openai: { model: 'gpt-image-1', modules: ['engines/upstream/openai/protocol.ts', ...sdk], examples: openAi },
  'openai-compatible': {
    model: 'flux',
    modules: ['engines/upstream/openai-compatible/protocol.ts', ...sdk],
    examples: [...openAi, { data: [{ url: 'https://example.com/a.png' }] }],
  },
  google: {
    model: 'gemini-3.1-flash-image',
    modules: ['engines/upstream/google/protocol.ts', ...sdk],
    examples: [
      {
        candidates: [
          { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'aGVsbG8=' } }] }, finishReason: 'STOP' },
        ],
        promptFeedback: { blockReason: null },
        usageMetadata: { promptTokenCount: 1, totalTokenCount: 2 },
      },
      {
        error: {
          code: 429,
          status: 'RESOURCE_EXHAUSTED',
          details: [{ reason: 'API_KEY_INVALID', retryDelay: '5s', violations: [{ quotaId: 'RequestsPerDay' }] }],
        },
      },
    ],
  },
  replicate: {
    model: 'owner/model',
    modules: ['engines/upstream/replicate/protocol.ts', 'engines/upstream/replicate/failures.ts', sendOnce],
    examples: [
      { id: 'job1', status: 'succeeded', output: ['https://example.com/a.png'], input: { image: 'https://a' } },
      { id: 'job1', status: 'failed', error: 'NSFW content', data_removed: false },
      { detail: 'Your rate limit resets in ~30s.', status: 429 },
    ],
  },
  fal: {
    model: 'fal-ai/flux',
    modules: ['engines/upstream/fal/protocol.ts', 'engines/upstream/fal/failures.ts', sendOnce],
    examples: [
      { request_id: 'job1', status: 'COMPLETED', images: [{ url: 'https://example.com/a.png' }], seed: 1 },
      { detail: [{ type: 'content_policy_violation', loc: ['body'], msg: 'm' }], error_type: 'internal_error' },
      { detail: 'User is locked. Exhausted balance.' },
    ],
  },
  comfyui: {
    model: 'set below: the path of a workflow',
    modules: [
      'engines/upstream/comfyui/http.ts',
      'engines/upstream/comfyui/jobs.ts',
      'engines/upstream/comfyui/template.ts',
      'engines/upstream/comfyui/cancel.ts',
      'engines/upstream/comfyui/prompt-id.ts',
    ],
    examples: [
      {
        prompt_id: 'job1',
        node_errors: {},
        exec_info: { queue_remaining: 0 },
        queue_running: [[1, 'job2', {}]],
        queue_pending: [[2, 'job1', {}]],
      },
      {
        queue_running: [],
        queue_pending: [],
        job1: {
          status: { status_str: 'error', completed: true, messages: [['execution_interrupted', {}]] },
          outputs: { 9: { images: [{ filename: 'a.png', subfolder: '', type: 'output' }] } },
        },
      },
    ],
  },
};

/** Characters. The time of longer responses varies with their chunks. */
const longest = 16 * 1024;

const statuses = [200, 400, 402, 429, 500];

export const open: Table['open'] = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-fuzz-'));
  const workflow = join(folder, 'workflow.json');
  await writeFile(workflow, '{"1":{"class_type":"Text","inputs":{"text":"{{prompt}}"}}}');
  const reply = { status: 200, body: '' };
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(bytesOf(reply.body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened: Provider[] = [];

  const ofProtocol = async (name: ProtocolName): Promise<[string, Parser]> => {
    const { model, modules, examples } = cases[name];
    const protocol = await loadProtocol(name);
    const provider = protocol.connect({ name, baseUrl, apiKey: 'key' });
    opened.push(provider);
    const request = { model: name === 'comfyui' ? workflow : model, input: { prompt: 'a fox' } };
    return [
      `the responses of ${name}`,
      {
        modules,
        examples: examples.map((example) => JSON.stringify(example)),
        longest,
        // Five statuses, with several requests for each of them.
        share: 1 / 10,
        async parse(body) {
          for (const status of statuses) {
            Object.assign(reply, { status, body });
            await callAll(protocol, provider, { ...request, task: 'text-to-image', idempotencyKey: 'art_1/image-1' });
          }
        },
      },
    ];
  };
  const names = Object.keys(cases) as ProtocolName[];
  const parsers = {
    ...Object.fromEntries(await Promise.all(names.map(ofProtocol))),
    'the codes in the body of an error': {
      modules: ['engines/upstream/error-body.ts'],
      examples: [...openAi, ...cases.google.examples].map((example) => JSON.stringify(example)),
      parse: readErrorBody,
    },
    'the header Retry-After of a provider': {
      modules: ['engines/upstream/retry-after.ts'],
      examples: ['120', '1.5', 'Wed, 21 Oct 2026 07:28:00 GMT'],
      parse: (input: string) => [
        retryAfter({ 'retry-after': input, date: 'Wed, 21 Oct 2026 07:28:00 GMT' }),
        retryAfter({ 'retry-after-ms': input }),
      ],
    },
  };
  return {
    parsers,
    async close() {
      await Promise.all(opened.map((provider) => provider.close()));
      server.closeAllConnections();
      await once(server.close(), 'close');
      await rm(folder, { recursive: true });
    },
  };
};

/** Sends every request of a protocol, and explains every error as the engine does. */
async function callAll({ output }: Protocol, provider: Provider, request: ProviderRequest): Promise<void> {
  const call = async <T>(send: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> => {
    try {
      return await send(AbortSignal.timeout(20_000));
    } catch (error) {
      const explained: unknown = provider.explain(error);
      if (!(explained instanceof EngineError)) throw new Violation(`explains ${String(error)} as ${String(explained)}`);
      // Only a bug in our code is an internal error.
      if (explained.code === 'internal_error') throw new Violation(`fails with ${String((error as Error).stack)}`);
      return undefined;
    }
  };
  if (provider.kind === 'direct') {
    find(await call((signal) => provider.run(request, signal)), output);
    return;
  }
  await call((signal) => provider.submit({ ...request, timeout: 90_000, confirm: () => Promise.resolve() }, signal));
  const state = await call((signal) => provider.poll(request.model, 'job1', signal));
  if (state?.state === 'done') find(state.output, output);
  await call((signal) => provider.cancel(request.model, 'job1', signal));
  await call(async (signal) => provider.deleteCopies?.('job1', signal));
  await call((signal) => provider.ping(signal));
}
