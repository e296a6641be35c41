/** The wire format of OpenAI's images API (its reference, and the types of `openai-node`): rejections and errors. */
import sharp from 'sharp';
import type { FakeResponse, Received, ApiFailure } from './direct-fake.ts';

type Body = Record<string, unknown>;

const refusal = (status: number, code: string | null, message: string, rest: object = {}): FakeResponse => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code, ...rest } },
  headers: { 'x-request-id': 'req_0123' },
});

export function refuseKey({ headers }: Received, apiKey: string | undefined): FakeResponse | null {
  const given = headers['authorization']?.replace('Bearer ', '');
  if (!apiKey || given === apiKey) return null;
  return refusal(401, 'invalid_api_key', `Incorrect API key provided: ${given}.`);
}

const shared = ['model', 'prompt', 'n', 'size', 'quality', 'background', 'output_format', 'output_compression', 'user'];
const generating = [...shared, 'moderation', 'style', 'complexity', 'safety_identifier'];
const editing = [...shared, 'moderation', 'image', 'image[]', 'mask', 'input_fidelity', 'complexity'];

const isGpt = (model: unknown) => /^(gpt|chatgpt)-image-/u.test(String(model));

export function refuseGeneration({ path, method, body }: Received): FakeResponse | null {
  if (method !== 'POST' || path !== '/v1/images/generations')
    return refusal(404, null, `Invalid URL (${method} ${path})`);
  return refuseBody(body, generating);
}

export async function refuseEdit({ method, body, headers }: Received): Promise<FakeResponse | null> {
  if (method !== 'POST' || !headers['content-type']?.startsWith('multipart/form-data')) {
    return refusal(400, 'unsupported_content_type', 'Invalid Content-Type header. Expected multipart/form-data.');
  }
  const refused = refuseBody(body, editing);
  if (refused) return refused;
  const { image, 'image[]': several, mask } = body as Record<string, Blob | Blob[] | undefined>;
  const images = [image ?? several ?? []].flat();
  if (images.length === 0) return refusal(400, 'missing_required_parameter', "Missing required parameter: 'image'.");
  if (!images.every(({ type }) => /^image\/(png|jpeg|webp)$/u.test(type))) {
    return refusal(400, 'unsupported_file_mimetype', 'Invalid file: unsupported mimetype.');
  }
  const [first] = images;
  return mask instanceof Blob && first ? refuseMask(mask, first) : null;
}

function refuseBody(body: unknown, known: readonly string[]): FakeResponse | null {
  if (typeof body !== 'object' || body === null) {
    return refusal(400, null, 'We could not parse the JSON body of your request.');
  }
  const { model, prompt, size, background, moderation, output_format: format } = body as Body;
  // Other servers accept fields of their own.
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown && isGpt(model)) return refusal(400, 'unknown_parameter', `Unknown parameter: '${unknown}'.`);
  if (typeof prompt !== 'string' || prompt === '') {
    return refusal(400, 'missing_required_parameter', "Missing required parameter: 'prompt'.", { param: 'prompt' });
  }
  if (size !== undefined && !isSize(size)) {
    return refusal(400, 'invalid_value', 'Invalid size.', { param: 'size' });
  }
  if (background === 'transparent' && format === 'jpeg') {
    return refusal(400, 'invalid_value', 'Transparent background is not supported for jpeg.', { param: 'background' });
  }
  if (moderation !== undefined && moderation !== 'auto' && moderation !== 'low') {
    return refusal(400, 'invalid_value', 'Invalid value for moderation.', { param: 'moderation' });
  }
  return null;
}

/** Returns whether models from `gpt-image-2` on accept the size (`src/resources/images.ts` of openai-node). */
function isSize(size: unknown): boolean {
  if (typeof size !== 'string') return false;
  if (size === 'auto') return true;
  const [, width = 0, height = 0] = (/^(\d+)x(\d+)$/u.exec(size) ?? []).map(Number);
  const fits = Math.max(width, height) <= 3840 && width * height <= 3840 * 2160;
  return fits && width > 0 && width % 16 === 0 && height % 16 === 0 && width <= 3 * height && height <= 3 * width;
}

async function refuseMask(mask: Blob, image: Blob): Promise<FakeResponse | null> {
  const [theirs, ours] = await Promise.all([mask, image].map(async (blob) => sharp(await blob.bytes()).metadata()));
  const fits = theirs?.width === ours?.width && theirs?.height === ours?.height;
  if (mask.size < 4 * 1024 * 1024 && theirs?.format === 'png' && theirs.hasAlpha && fits) return null;
  const type = 'image_generation_user_error';
  return refusal(400, 'invalid_mask_image_format', 'Invalid mask image format - mask size does not match image size', {
    type,
    param: 'mask',
  });
}

/** Words of the provider that must not appear in an error of ours. */
const words = 'org-4711 sk-proj-N0tForAnyonesEyes a secret garden';

export const imageFailures: Record<ApiFailure, FakeResponse> = {
  'bad-request': refusal(400, 'invalid_value', `Invalid value: ${words}`, { param: 'size' }),
  'bad-key': refusal(401, 'invalid_api_key', `Incorrect API key provided: ${words}`),
  forbidden: refusal(403, null, `Your organization must be verified to use the model. ${words}`),
  unpaid: refusal(400, 'billing_hard_limit_reached', `Billing hard limit has been reached. ${words}`, {
    type: 'image_generation_user_error',
  }),
  'not-found': refusal(404, 'model_not_found', `The model does not exist. ${words}`),
  moderation: refusal(400, 'moderation_blocked', `Your request was rejected by the safety system. ${words}`, {
    type: 'image_generation_user_error',
  }),
  busy: {
    ...refusal(429, 'rate_limit_exceeded', `Rate limit reached. ${words}`, { type: 'requests' }),
    headers: { 'retry-after': '1' },
  },
  quota: refusal(429, 'credit_balance_exhausted', `You exceeded your current quota. ${words}`, {
    type: 'insufficient_quota',
  }),
  broken: refusal(500, null, `The server had an error. ${words}`, { type: 'server_error' }),
  unavailable: refusal(503, null, `The engine is currently overloaded. ${words}`, { type: 'server_error' }),
  'gateway-timeout': refusal(504, null, `Timed out. ${words}`, { type: 'server_error' }),
};
