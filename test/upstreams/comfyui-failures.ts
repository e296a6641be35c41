/** Missing and wrong responses of a fake ComfyUI, and of proxies in front of it. */
import type { ServerResponse } from 'node:http';
import type { FakeResponse } from './comfyui.ts';
import type { FakeFailure } from './upstream-fake.ts';

const page = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

const invalid = {
  error: {
    type: 'prompt_outputs_failed_validation',
    message: 'Prompt outputs failed validation',
    details: "Value not in list: ckpt_name: 'secret.safetensors' not in []",
    extra_info: {},
  },
  node_errors: {},
};

interface Raw {
  status: number;
  type?: string;
  body?: string;
  headers?: Record<string, string>;
}

const raw: Partial<Record<FakeFailure, Raw>> = {
  'bad-request': { status: 400, type: 'application/json', body: JSON.stringify(invalid) },
  'bad-key': { status: 401, headers: { 'www-authenticate': 'Basic realm="ComfyUI"' } },
  forbidden: { status: 403 },
  unpaid: { status: 402 },
  'not-found': { status: 404 },
  busy: { status: 429, headers: { 'retry-after': '1' } },
  quota: { status: 429 },
  broken: { status: 500, body: '500 Internal Server Error\n\nServer got itself in trouble' },
  unavailable: { status: 503 },
  'gateway-timeout': { status: 504 },
  html: { status: 502, type: 'text/html', body: page },
  malformed: { status: 200, type: 'application/json', body: '{"prompt_id": ' },
  'wrong-type': { status: 200, type: 'text/html; charset=utf-8', body: '<html><body>Please log in</body></html>' },
  redirect: { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } },
  'dead-link': { status: 404 },
  'not-an-image': { status: 200, type: 'image/png', body: 'This is no image.' },
};

/** Returns whether the failure can occur at any route, not only where images are downloaded. */
export function canOccurAtAnyRoute(failure: FakeFailure): boolean {
  if (failure === 'dead-link' || failure === 'not-an-image') return false;
  return failure in raw || ['reset', 'cut', 'silence'].includes(failure);
}

/** Responds with a failure. @param handle executes the request, for failures that lose only the response */
export function act(failure: FakeFailure, response: ServerResponse, handle: () => FakeResponse): void {
  if (failure === 'silence') return;
  if (failure === 'reset') return void response.socket?.resetAndDestroy();
  if (failure === 'huge-image') return pour(response);
  if (failure === 'cut') {
    const { status, type, body } = handle();
    response.writeHead(status, { 'content-type': type, 'content-length': body.byteLength });
    response.write(body.subarray(0, body.byteLength >> 1), () => response.destroy());
    return;
  }
  const { status, type = 'text/plain', body = `${status}`, headers } = raw[failure]!;
  if (failure === 'malformed' || failure === 'wrong-type') handle();
  response.writeHead(status, { 'content-type': type, ...headers }).end(body);
}

/** Sends zeros until the client disconnects. */
function pour(response: ServerResponse): void {
  const zeros = Buffer.alloc(1024 * 1024);
  response.writeHead(200, { 'content-type': 'image/png' });
  const more = () => {
    while (!response.destroyed && response.write(zeros));
  };
  response.on('drain', more);
  more();
}
