/** Sends requests to the service that serves this page, with the key of this tab. */

const storage = 'atelier-key';

export const key = {
  get: () => sessionStorage.getItem(storage) ?? '',
  /** @param {string} value */
  set: (value) => sessionStorage.setItem(storage, value),
};

/** An error response: its message and the fields that it names. */
export class Problem extends Error {
  /** @param {{ status: number, message: string, code?: string, errors?: { path: string, message: string }[] }} body */
  constructor({ status, message, code = '', errors = [] }) {
    super(message);
    this.status = status;
    this.code = code;
    this.errors = errors;
  }
}

const authorization = () => ({ authorization: `Bearer ${key.get()}` });

/**
 * @param {string} path
 * @param {{ method?: string, body?: unknown }} [options] an object is sent as JSON, a file unchanged
 * @returns {Promise<any>}
 */
export async function request(path, { method = 'GET', body } = {}) {
  const file = body instanceof Blob;
  const type = file ? 'application/octet-stream' : 'application/json';
  const response = await fetch(path, {
    method,
    headers: { ...authorization(), ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body: file ? body : JSON.stringify(body) }),
  }).catch(() => {
    throw new Problem({ status: 0, message: 'The service cannot be reached. Check that it runs, and try again.' });
  });
  const text = await response.text();
  if (response.ok) return text === '' ? null : JSON.parse(text);
  try {
    throw new Problem(JSON.parse(text));
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem({ status: response.status, message: `The service responded with ${response.status}.` });
  }
}

/** @param {Blob} file @returns {Promise<string>} its id, for image fields */
export const upload = async (file) => (await request('/v2/files', { method: 'POST', body: file })).id;

/** @param {string} path @param {AbortSignal} signal @returns {Promise<Response>} */
export const openStream = (path, signal) =>
  fetch(path, { headers: { ...authorization(), accept: 'text/event-stream' }, signal });

/** Returns a link relative to this page, because image links contain the service's public address. @param {string} url */
export function local(url) {
  const { pathname, search } = new URL(url, location.href);
  return pathname + search;
}
