/** A server that speaks fal's queue and storage APIs (https://fal.ai/docs/api-reference/inference-api). */
import { make, type Files, unreadableField } from './fake-models.ts';
import { type FakeResponse, type Exchange, type Stage, type QueueFake, startQueueFake } from './queue-fake.ts';
import type { FakeFailure, FakeOptions } from './upstream-fake.ts';

/** Address in the links of the queue: fal's own, so that a client that follows these links does not reach the fake. */
const queue = 'https://queue.fal.run';

interface Job {
  id: string;
  /** The endpoint's id without its path: `fal-ai/flux`. */
  app: string;
  model: string;
  input: Record<string, unknown>;
  status: 'IN_QUEUE' | 'COMPLETED';
  /** Epoch milliseconds from which the job can complete. */
  doneAt: number;
}

const job = '/[\\w.-]+/[\\w.-]+/requests/[\\w-]+';
const routes: readonly (readonly [string, RegExp, Stage])[] = [
  ['POST', /^\/storage\/upload\/initiate$/, 'upload'],
  ['POST', /^(\/[\w.-]+){2,}$/, 'submit'],
  ['GET', new RegExp(`^${job}/status$`), 'poll'],
  ['GET', new RegExp(`^${job}$`), 'collect'],
  ['PUT', new RegExp(`^${job}/cancel$`), 'cancel'],
];

const locked = 'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.';

/** Errors of the queue, whose detail is a text. */
const refusals: Partial<Record<FakeFailure, readonly [number, string]>> = {
  'bad-key': [401, 'Cannot authenticate the request'],
  forbidden: [403, 'This key may not call this application'],
  unpaid: [403, locked],
  'not-found': [404, 'Application not found'],
  'lost-job': [404, 'Request not found'],
  busy: [429, 'Too many requests'],
  quota: [429, 'Concurrent requests limit reached'],
  broken: [500, 'Internal Server Error'],
  unavailable: [503, 'Service Unavailable'],
  'gateway-timeout': [504, 'Gateway Timeout'],
};

/** Errors of models, which are the results of their jobs. */
const complaints: Partial<Record<FakeFailure, readonly [number, string, string]>> = {
  'bad-request': [422, 'missing', 'Field required'],
  moderation: [422, 'content_policy_violation', 'The content could not be processed because it was flagged.'],
  'failed-job': [500, 'internal_server_error', 'Internal server error'],
  'no-face': [422, 'face_detection_error', 'Could not detect face in the image'],
};

/** Models that return `image`; all others return `images`. */
const single = /codeformer|esrgan|clarity|birefnet|sam|depth/;

interface FalOptions extends FakeOptions {
  /** Milliseconds that a job takes. Default: it finishes before the first poll. */
  jobTime?: number;
}

export interface FalFake extends QueueFake {
  /** Returns the largest number of jobs that ran at the same time. */
  mostRunning(): number;
}

export async function startFal({ apiKey, jobTime = 0, file = () => null }: FalOptions = {}): Promise<FalFake> {
  let mostRunning = 0;
  let submitted = 0;
  const files: Files = new Map();
  const jobs = new Map<string, Job>();

  function submit({ path, json }: Exchange): FakeResponse {
    if (typeof json !== 'object' || json === null) return { status: 422, body: { detail: 'Invalid JSON' } };
    const model = path.slice(1);
    const app = model.split('/').slice(0, 2).join('/');
    const id = `80e732af-660e-45cd-bd63-${String(submitted++).padStart(12, '0')}`;
    jobs.set(id, { id, app, model, input: json as Job['input'], status: 'IN_QUEUE', doneAt: Date.now() + jobTime });
    const running = [...jobs.values()].filter(({ doneAt }) => doneAt > Date.now());
    mostRunning = Math.max(mostRunning, running.length);
    return { status: 200, body: { status: 'IN_QUEUE', request_id: id, ...linksOf(app, id), queue_position: 0 } };
  }

  function jobAt(path: string): Job | undefined {
    const [, owner, app, , id = ''] = path.split('/');
    const found = jobs.get(id);
    return found?.app === `${owner}/${app}` ? found : undefined;
  }

  function poll({ path, isHeld, failure }: Exchange): FakeResponse {
    const found = jobAt(path);
    if (!found) return { status: 404, body: { detail: 'Request not found' } };
    if (!isHeld && failure !== 'endless-job' && Date.now() >= found.doneAt) found.status = 'COMPLETED';
    const common = { status: found.status, request_id: found.id, ...linksOf(found.app, found.id) };
    return found.status === 'COMPLETED'
      ? { status: 200, body: { ...common, logs: null, metrics: { inference_time: 1.2 } } }
      : { status: 202, body: { ...common, queue_position: 0 } };
  }

  async function collect({ path, url, failure }: Exchange): Promise<FakeResponse> {
    const found = jobAt(path);
    if (!found) return { status: 404, body: { detail: 'Request not found' } };
    if (found.status !== 'COMPLETED') return { status: 400, body: { detail: 'Request is still in progress' } };
    const complaint = failure && complaints[failure];
    if (complaint) return complain(...complaint);
    const unreadable = await unreadableField(found.input, files);
    if (unreadable) return complain(422, 'image_load_error', 'Failed to load the image.', unreadable);
    // A model that segments then returns no mask.
    const links = failure === 'nothing-found' ? [] : await make(found, { files, url, failure, file: file() });
    const images = links.map((link) => ({
      url: link,
      content_type: 'image/png',
      file_name: 'image.png',
    }));
    const seed = found.input.seed ?? 42;
    if (single.test(found.model)) {
      return { status: 200, body: { image: images[0] ?? null, seed, ...masksOf(found.model, images) } };
    }
    const flags = images.map(() => isFlagged(found.input));
    const body = { images, seed, has_nsfw_concepts: flags, prompt: found.input.prompt };
    return { status: 200, body: { ...body, timings: {} } };
  }

  function cancel({ path }: Exchange): FakeResponse {
    const found = jobAt(path);
    if (!found) return { status: 404, body: { status: 'NOT_FOUND' } };
    if (found.status === 'COMPLETED') return { status: 400, body: { status: 'ALREADY_COMPLETED' } };
    jobs.delete(found.id);
    return { status: 202, body: { status: 'CANCELLATION_REQUESTED' } };
  }

  function upload({ url, json }: Exchange): FakeResponse {
    const { content_type: type, file_name: name } = Object(json) as Record<string, unknown>;
    if (typeof type !== 'string' || typeof name !== 'string') return { status: 422, body: { detail: 'Invalid JSON' } };
    const id = `${files.size}-${name}`;
    files.set(id, { bytes: Buffer.alloc(0), type });
    return {
      status: 200,
      body: { upload_url: `${url}/put/${id}?signature=s`, file_url: `https://v3.fal.media/files/${id}` },
    };
  }

  /** The storage: its addresses need no key, because they cannot be guessed. */
  function storage({ method, path, headers, bytes }: Exchange): FakeResponse {
    const [, route, id = ''] = path.split('/');
    const file = files.get(decodeURIComponent(id));
    if (!file) return { status: 404, body: { detail: 'Not Found' } };
    if (route === 'files') return { status: 200, headers: { 'content-type': file.type }, body: file.bytes };
    if (method !== 'PUT' || headers['content-type'] !== file.type || headers.authorization) {
      return { status: 403, body: { detail: 'SignatureDoesNotMatch' } };
    }
    file.bytes = bytes;
    return { status: 200, body: {} };
  }

  const fake = await startQueueFake({
    stageOf: (method, path) => routes.find(([verb, way]) => verb === method && way.test(path))?.[2] ?? null,
    defaultStage(failure) {
      if (failure === 'endless-job' || failure === 'lost-job') return 'poll';
      return failure in complaints || /-link$|image$|^nothing-found$/.test(failure) ? 'collect' : 'submit';
    },
    async respond(stage, exchange) {
      const { headers, failure } = exchange;
      const { authorization = '' } = headers;
      if (stage && apiKey && authorization !== `Key ${apiKey}`) {
        return { status: 401, body: { detail: `Cannot authenticate the request: ${authorization}` } };
      }
      const refused = failure && refusals[failure];
      if (refused) {
        const again = refused[0] === 429 ? { 'retry-after': '1' } : {};
        return { status: refused[0], headers: again, body: { detail: refused[1] } };
      }
      switch (stage) {
        case 'submit':
          return submit(exchange);
        case 'poll':
          return poll(exchange);
        case 'collect':
          return collect(exchange);
        case 'cancel':
          return cancel(exchange);
        case 'upload':
          return upload(exchange);
        case 'account':
        case null:
          return storage(exchange);
      }
    },
  });
  return { ...fake, mostRunning: () => mostRunning };
}

/** The result of the safety checker, unless the request has switched it off. */
function isFlagged({ prompt, enable_safety_checker: isOn = true }: Job['input']): boolean {
  return isOn === true && String(prompt).includes('nsfw');
}

function linksOf(app: string, id: string): object {
  const response = `${queue}/${app}/requests/${id}`;
  return { response_url: response, status_url: `${response}/status`, cancel_url: `${response}/cancel` };
}

function complain(status: number, type: string, msg: string, field = 'prompt'): FakeResponse {
  const detail = [{ loc: ['body', field], msg, type, url: `https://docs.fal.ai/errors/#${type}`, input: {} }];
  return { status, headers: { 'x-fal-retryable': 'false' }, body: { detail } };
}

/** Models such as SAM 3 return a list of masks and a preview. */
function masksOf(model: string, images: object[]): object {
  return model.includes('sam-3') ? { masks: images } : {};
}
