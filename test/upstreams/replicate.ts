/** A server that speaks Replicate's HTTP API (https://replicate.com/docs/reference/http), with models that finish before the first poll. */
import { make, type Files, unreadableField } from './fake-models.ts';
import { type FakeResponse, type Exchange, type Stage, type QueueFake, startQueueFake } from './queue-fake.ts';
import type { FakeFailure, FakeOptions } from './upstream-fake.ts';

/** Address in links: Replicate's own, so that a client that follows these links does not reach the fake. */
const home = 'https://api.replicate.com/v1';

interface Job {
  id: string;
  model: string;
  version: string;
  input: Record<string, unknown>;
  status: 'starting' | 'succeeded' | 'failed' | 'canceled';
  output: unknown;
  error: string | null;
  /** Epoch milliseconds at which `Cancel-After` ends the prediction. */
  endsAt: number;
}

const routes: readonly (readonly [string, RegExp, Stage])[] = [
  ['POST', /^(\/(models|deployments)\/[\w.-]+\/[\w.-]+)?\/predictions$/, 'submit'],
  ['GET', /^\/predictions\/\w+$/, 'poll'],
  ['POST', /^\/predictions\/\w+\/cancel$/, 'cancel'],
  ['POST', /^\/files$/, 'upload'],
  ['GET', /^\/account$/, 'account'],
  ['GET', /^\/files\/[\w.-]+$/, 'collect'],
  ['DELETE', /^\/files\/[\w.-]+$/, 'account'],
];

/** Status, title and detail of problem details (RFC 7807). */
const problems: Partial<Record<FakeFailure, readonly [number, string, string]>> = {
  'bad-request': [422, 'Input validation failed', '- input.prompt: prompt is required\n'],
  'bad-key': [401, 'Unauthenticated', 'You did not pass a valid authentication token'],
  forbidden: [403, 'Forbidden', 'You do not have permission to perform this action.'],
  unpaid: [402, 'Insufficient credit', 'You have insufficient credit to run this model. Go to billing to add some.'],
  'not-found': [404, 'Not found', 'The requested resource could not be found.'],
  'lost-job': [404, 'Not found', 'The requested resource could not be found.'],
  busy: [429, 'Too many requests', 'Request was throttled. Your rate limit resets in ~1s.'],
  quota: [
    429,
    'Too many requests',
    'Request was throttled: you have less than $5.0 in credit. Your rate limit resets in ~1s.',
  ],
  broken: [500, 'Internal server error', 'Please try again.'],
  unavailable: [503, 'Service unavailable', 'Please try again.'],
  'gateway-timeout': [504, 'Gateway timeout', 'Please try again.'],
};

/** Texts of failed predictions: one of cog-flux, and others of no particular model. */
const errors: Partial<Record<FakeFailure, string>> = {
  moderation: 'All generated images contained NSFW content. Try running it again with a different prompt.',
  'no-face': 'No face found in the image',
  'out-of-memory': 'CUDA out of memory. Tried to allocate 2.00 GiB.',
  'failed-job': 'RuntimeError: The size of tensor a (64) must match the size of tensor b (48)',
};

/** Models that return one file; all others return a list. */
const single = /face|codeformer|gfpgan|esrgan|background|segment|kontext/;

export function startReplicate({ apiKey, file = () => null }: FakeOptions = {}): Promise<QueueFake> {
  const files: Files = new Map();
  const jobs = new Map<string, Job>();

  function submit({ path, json, headers }: Exchange): FakeResponse {
    const { input, version, ...others } = Object(json) as Record<string, unknown>;
    const unknown = Object.keys(others).filter((name) => !/^(stream|webhook|webhook_events_filter)$/.test(name));
    if (unknown.length) return problem(422, 'Input validation failed', `- ${unknown.join()}: not allowed\n`);
    if (typeof input !== 'object') return problem(422, 'Input validation failed', '- input is required\n');
    const [, named, pinned] = /^(?:([\w.-]+\/[\w.-]+):)?([0-9a-f]{64})$/.exec(String(version)) ?? [];
    if (path === '/predictions' && !pinned) {
      return problem(422, 'Invalid version or not permitted', 'The specified version does not exist');
    }
    const [, , owner = '', name = ''] = path.split('/');
    const id = `p${String(jobs.size).padStart(25, 'x')}`;
    const job: Job = {
      id,
      model: named ?? `${owner}/${name}`,
      version: pinned ?? 'hidden',
      input: input as Job['input'],
      status: 'starting',
      output: null,
      error: null,
      endsAt: Date.now() + 1000 * Number(/^\d+/.exec(headers['cancel-after'] ?? '')?.[0] ?? Infinity),
    };
    jobs.set(id, job);
    return { status: 201, body: predictionOf(job) };
  }

  async function poll({ path, url, isHeld, failure }: Exchange): Promise<FakeResponse> {
    const job = jobs.get(path.split('/')[2] ?? '');
    if (!job) return problem(...(problems['not-found'] ?? [404, '', '']));
    if (job.status === 'starting' && Date.now() >= job.endsAt) job.status = 'canceled';
    if (job.status !== 'starting' || isHeld || failure === 'endless-job')
      return { status: 200, body: predictionOf(job) };
    const unreadable = await unreadableField(job.input, files);
    job.error = unreadable ? `Could not load ${unreadable}` : ((failure && errors[failure]) ?? null);
    job.status = job.error ? 'failed' : 'succeeded';
    if (!job.error) {
      const urls = await make(job, { files, url, failure, file: file() });
      const [first] = urls;
      const isDepth = job.model.includes('depth') && first;
      job.output = isDepth
        ? { color_depth: first, grey_depth: first }
        : single.test(job.model)
          ? (first ?? null)
          : urls;
    }
    return { status: 200, body: predictionOf(job) };
  }

  function cancel({ path }: Exchange): FakeResponse {
    const job = jobs.get(path.split('/')[2] ?? '');
    if (!job) return problem(...(problems['not-found'] ?? [404, '', '']));
    if (job.status === 'starting') job.status = 'canceled';
    return { status: 200, body: predictionOf(job) };
  }

  async function upload({ headers, bytes }: Exchange): Promise<FakeResponse> {
    const type = headers['content-type'] ?? '';
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
      .formData()
      .catch(() => null);
    const content = form?.get('content');
    if (!(content instanceof File)) return problem(400, 'Bad request', 'Missing content');
    const id = `f${files.size}`;
    files.set(id, { bytes: Buffer.from(await content.arrayBuffer()), type: content.type });
    const file = { id, name: content.name, content_type: content.type, size: content.size, etag: id, metadata: {} };
    const times = { created_at: '2026-11-21T12:00:00Z', expires_at: '2026-11-22T12:00:00Z' };
    const body = { ...file, ...times, checksums: { sha256: '…' }, urls: { get: `${home}/files/${id}` } };
    return { status: 201, body };
  }

  const collect = ({ path }: Exchange): FakeResponse => {
    const file = files.get(path.slice('/files/'.length));
    return file
      ? { status: 200, headers: { 'content-type': file.type }, body: file.bytes }
      : { status: 404, headers: { 'content-type': 'text/plain' }, body: Buffer.from('404 page not found') };
  };

  const remove = ({ path }: Exchange): FakeResponse =>
    files.delete(path.slice('/files/'.length))
      ? { status: 204, body: Buffer.alloc(0) }
      : problem(404, 'Not found', 'The requested resource could not be found.');

  return startQueueFake({
    stageOf: (method, path) => routes.find(([verb, way]) => verb === method && way.test(path))?.[2] ?? null,
    defaultStage: (failure) =>
      failure in errors || /-job$|-link$|image$|^nothing-found$/.test(failure) ? 'poll' : 'submit',
    async respond(stage, exchange) {
      const { headers, failure } = exchange;
      const { authorization = '' } = headers;
      if (stage !== 'collect' && apiKey && authorization !== `Bearer ${apiKey}`) {
        return problem(401, 'Unauthenticated', `You did not pass a valid authentication token: ${authorization}`);
      }
      const refused = failure && problems[failure];
      if (refused) return problem(...refused, failure === 'busy' ? { 'retry-after': '1' } : {});
      switch (stage) {
        case 'submit':
          return submit(exchange);
        case 'poll':
          return poll(exchange);
        case 'cancel':
          return cancel(exchange);
        case 'upload':
          return upload(exchange);
        case 'collect':
          return collect(exchange);
        case 'account':
          if (exchange.method === 'DELETE') return remove(exchange);
          return { status: 200, body: { type: 'organization', username: 'acme', name: 'Acme Corp, Inc.' } };
        case null:
          return problem(404, 'Not found', 'The requested resource could not be found.');
      }
    },
  });
}

function problem(status: number, title: string, detail: string, headers: Record<string, string> = {}): FakeResponse {
  return {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
    body: { title, detail, status },
  };
}

function predictionOf({ id, model, version, input, status, output, error }: Job): object {
  const urls = { get: `${home}/predictions/${id}`, cancel: `${home}/predictions/${id}/cancel` };
  const times = { created_at: '2026-11-21T12:00:00Z', started_at: null, completed_at: null };
  return {
    id,
    model,
    version,
    input,
    logs: '',
    output,
    data_removed: false,
    error,
    status,
    source: 'api',
    ...times,
    urls,
  };
}
