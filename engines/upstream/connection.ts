/** A connection to one provider's server: its address, its own sockets, and a limit on the size of responses. */
import { Agent, fetch } from 'undici';
import { withoutTrailingSlashes } from '../../schemas/addresses.ts';
import { encodeForm } from './form-body.ts';

export interface Connection {
  /** Without a slash at its end. */
  url: string;
  /** For a client library, in place of the global `fetch`. */
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

interface Options {
  /** Owner of the address in an error message: `a language model`. */
  owner: string;
  /** Bytes. A longer response fails. */
  largestResponse: number;
}

/** @throws Error when the address is invalid. The message leaves it out because it may contain a key. */
export function openConnection(address: string, { owner, largestResponse }: Options): Connection {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(`The address of ${owner} must be http(s)://host/path, without credentials or query`);
  }
  // The caller's signal is the only time limit.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: largestResponse });
  // Redirects are not followed, because they would send prompts and images to another server.
  const send = async (input: unknown, init: object = {}): Promise<Response> =>
    fetch(String(input), { ...(await encodeForm(init)), dispatcher, redirect: 'manual' });
  return { url: withoutTrailingSlashes(url.href), fetch: send, close: () => dispatcher.destroy() };
}
