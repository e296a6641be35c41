/** Encodes forms for undici, whose `fetch` accepts only its own FormData class and not the one of Node. */
import { Headers, type RequestInit } from 'undici';

export async function encodeForm({ body, ...init }: RequestInit): Promise<RequestInit> {
  if (!(body instanceof FormData)) return { ...init, ...(body !== undefined && { body }) };
  const form = new Response(body);
  const headers = new Headers(init.headers);
  headers.set('content-type', form.headers.get('content-type') ?? '');
  return { ...init, headers: Object.fromEntries(headers), body: await form.arrayBuffer() };
}
