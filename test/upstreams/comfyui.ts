/** A ComfyUI without its models: its routes as `server.py` has them, one worker, real images, and failures on demand. */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bodyOf, type Upload } from './comfyui-body.ts';
import { act, canOccurAtAnyRoute } from './comfyui-failures.ts';
import { objectInfo } from './comfyui-info.ts';
import { createExecutor } from './comfyui-executor.ts';
import { validate, type Workflow } from './comfyui-graph.ts';
import { createQueue, type Fate } from './comfyui-queue.ts';
import type { FakeFailure, FakeOptions, UpstreamFake } from './upstream-fake.ts';

/** Failures that ComfyUI cannot have: it moderates nothing, and it returns bytes. */
export const impossibleFailures: readonly FakeFailure[] = ['moderation', 'private-link'];

export interface ComfyuiOptions extends Pick<FakeOptions, 'file'> {
  /** Key for a proxy in front of the server: `user:password` for Basic authentication, otherwise a Bearer token. */
  apiKey?: string;
  /** Before 0.3.45, the server chooses the ids of jobs. Before 0.3.57, an interrupt ends whichever job is running. */
  version?: string;
  /**
   * Whether the history lists the files of nodes that were not executed again, because an earlier job has made them. Before
   * 0.3.68 and since July 2026, always; in between, for jobs with a client id. Default: always.
   */
  listsCached?: 'always' | 'with client id';
  /** Nodes and files that this server lacks. */
  missing?: readonly string[];
}

export interface ComfyuiFake extends UpstreamFake {
  /** Empties the folder `output`, as an operator may. */
  deleteOutputs(): void;
}

type Stage = 'submit' | 'poll' | 'collect';

export interface FakeResponse {
  status: number;
  type: string;
  body: Buffer;
}

const json = (body: unknown, status = 200): FakeResponse => ({
  status,
  type: 'application/json; charset=utf-8',
  body: Buffer.from(JSON.stringify(body)),
});
const empty = (status = 200): FakeResponse => ({ status, type: 'application/octet-stream', body: Buffer.alloc(0) });

const fates: Partial<Record<FakeFailure, Fate>> = {
  'endless-job': 'endless',
  'lost-job': 'lost',
  'failed-job': 'fails',
  'out-of-memory': 'runs out of memory',
  'no-image': 'shows nothing',
};

export async function startComfyui({
  apiKey,
  version = '0.3.64',
  listsCached = 'always',
  missing = [],
  file = () => null,
}: ComfyuiOptions = {}): Promise<ComfyuiFake> {
  const counts = { submissions: 0, reads: 0, cancels: 0, uploads: 0 };
  const requests: UpstreamFake['requests'] = [];
  const submittedAt: number[] = [];
  const inputs = new Map<string, Buffer>();
  const saved = new Map<string, Buffer>();
  let planned: { failure: FakeFailure; at: Stage | undefined; times: number } | null = null;

  /** Returns the planned failure if it fits, and counts it as used. */
  function due(fits: (failure: FakeFailure, at: Stage | undefined) => boolean): FakeFailure | null {
    if (!planned || planned.times === 0 || !fits(planned.failure, planned.at)) return null;
    planned.times -= 1;
    return planned.failure;
  }

  const disk = {
    inputs,
    save(png: Buffer, prefix: string, type: 'output' | 'temp') {
      const [name = '', ...folders] = prefix.split('/').reverse();
      const subfolder = folders.reverse().join('/');
      const filename = `${name}_${String(saved.size + 1).padStart(5, '0')}_.png`;
      saved.set(`${type}/${subfolder}/${filename}`, png);
      return { filename, subfolder, type };
    },
  };
  const executor = createExecutor(disk, listsCached);
  const jobs = createQueue(executor, () => {
    const failure = due((planned) => planned in fates);
    return (failure && fates[failure]) ?? 'works';
  });
  const acceptsIds = !olderThan(version, 45);

  const routes: Record<string, (url: URL, body: unknown) => FakeResponse> = {
    'POST /upload/image': (_url, body) => {
      counts.uploads += 1;
      const { filename, bytes, subfolder = '', type = 'input' } = body as Upload;
      if (!filename || !bytes) return empty(400);
      inputs.set(subfolder ? `${subfolder}/${filename}` : filename, bytes);
      return json({ name: filename, subfolder, type });
    },
    'POST /prompt': (_url, body) => {
      counts.submissions += 1;
      submittedAt.push(Date.now());
      const { prompt, prompt_id: requestedId, client_id, extra_data = {} } = body as Submission;
      if (!prompt) return json({ error: { type: 'no_prompt', message: 'No prompt provided' }, node_errors: {} }, 400);
      const verdict = validate(prompt, inputs);
      const node_errors = verdict.nodeErrors;
      if (!verdict.isValid) return json({ error: verdict.error, node_errors }, 400);
      const id = acceptsIds && requestedId !== undefined ? requestedId : randomUUID();
      if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) {
        return json(
          { error: { type: 'invalid_prompt_id', message: 'prompt_id must be a valid UUID' }, node_errors },
          400,
        );
      }
      const extra = { ...extra_data, ...(client_id !== undefined && { client_id }) };
      jobs.put([counts.submissions, id, prompt, extra, verdict.outputs]);
      return json({ prompt_id: id, number: counts.submissions, node_errors });
    },
    'GET /prompt': () => json({ exec_info: { queue_remaining: jobs.pending().length + jobs.running().length } }),
    'GET /queue': () => {
      if (submittedAt.length > 0) counts.reads += 1;
      return json({ queue_running: jobs.running(), queue_pending: jobs.pending() });
    },
    'GET /history': (url) => {
      const id = url.pathname.split('/')[2] ?? '';
      return json(jobs.history.has(id) ? { [id]: jobs.history.get(id) } : {});
    },
    'POST /queue': (_url, body) => {
      counts.cancels += 1;
      for (const id of (body as { delete?: string[] }).delete ?? []) jobs.remove(id);
      return empty();
    },
    'POST /history': (_url, body) => {
      for (const id of (body as { delete?: string[] }).delete ?? []) jobs.history.delete(id);
      return empty();
    },
    'POST /interrupt': (_url, body) => {
      const id = (body as { prompt_id?: string } | null)?.prompt_id;
      const isOther = id !== undefined && !jobs.running().some((item) => item[1] === id);
      if (olderThan(version, 57) || !isOther) jobs.interrupt();
      return empty();
    },
    'GET /system_stats': () =>
      json({ system: { os: 'posix', comfyui_version: version, argv: ['main.py'] }, devices: [] }),
    'GET /object_info': () => json(objectInfo(missing)),
    'GET /view': ({ searchParams: query }) => {
      const path = `${query.get('type') ?? 'output'}/${query.get('subfolder') ?? ''}/${query.get('filename')}`;
      const bytes = saved.get(path);
      const given = file();
      if (given) return { status: 200, type: given.type, body: Buffer.from(given.bytes) };
      return bytes ? { status: 200, type: 'image/png', body: bytes } : { ...empty(404), type: 'text/plain' };
    },
  };

  /** Returns null for a poll before the first submission, because it belongs to that submission. */
  function stageOf(route: string): Stage | null {
    if (route === 'GET /view') return 'collect';
    if (route === 'GET /queue' || route === 'GET /history') return submittedAt.length > 0 ? 'poll' : null;
    return /^(POST \/prompt|GET \/prompt|POST \/upload)/.test(route) ? 'submit' : null;
  }

  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://comfyui');
      const body = await bodyOf(request);
      requests.push({ path: `${url.pathname}${url.search}`, headers: headersOf(request), body });
      if (apiKey !== undefined && request.headers.authorization !== authorization(apiKey)) {
        return respond(response, { ...empty(401), type: 'text/plain', body: Buffer.from('401: Unauthorized') });
      }
      const route = `${request.method} ${url.pathname.replace(/^(\/history)\/.+/, '$1')}`;
      const handle = () => routes[route]?.(url, body) ?? { ...empty(404), body: Buffer.from('404: Not Found') };
      const stage = stageOf(route);
      const failure = due((planned, at) => {
        if (planned in fates) return false;
        if (!canOccurAtAnyRoute(planned)) return stage === 'collect' && !impossibleFailures.includes(planned);
        return stage === (at ?? 'submit');
      });
      const silent = due((planned, at) => impossibleFailures.includes(planned) && stage === (at ?? 'submit'));
      if (failure || silent) return act(silent ? 'silence' : failure!, response, handle);
      respond(response, handle());
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fail(failure, { times = Infinity, at } = {}) {
      planned = failure && { failure, at, times };
    },
    counts,
    submittedAt,
    requests,
    hold: () => jobs.hold(),
    release: () => jobs.release(),
    deleteOutputs: () => saved.clear(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Submission {
  prompt?: Workflow;
  prompt_id?: string;
  client_id?: string;
  extra_data?: object;
}

function respond(response: ServerResponse, { status, type, body }: FakeResponse): void {
  response.writeHead(status, { 'content-type': type, 'content-length': body.byteLength }).end(body);
}

const olderThan = (version: string, patch: number) => version.startsWith('0.3.') && Number(version.slice(4)) < patch;

const authorization = (key: string) =>
  key.includes(':') ? `Basic ${Buffer.from(key).toString('base64')}` : `Bearer ${key}`;

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
