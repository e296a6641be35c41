/** The way to one provider's server: an address, sockets of its own, and a bound on what comes back. */
import { Agent, fetch } from 'undici';

export interface Connection {
  /** Without a slash at its end. */
  url: string;
  /** For a client library, in place of the global one. */
  fetch: typeof globalThis.fetch;
  close(): Promise<void>;
}

interface Bounds {
  /** For the message about a bad address: `a language model`. */
  whose: string;
  /** Bytes: a longer answer is none. */
  longestAnswer: number;
}

/** @throws Error when the address is none; it is not repeated, for it may hold a key */
export function openConnection(address: string, { whose, longestAnswer }: Bounds): Connection {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new Error(`The address of ${whose} is http(s)://host/path, without credentials or query`);
  }
  // The call's own signal is the only limit of time.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, maxResponseSize: longestAnswer });
  // A redirect is not followed: it would take prompts and images to whomever it names.
  const send = async (input: string, init: RequestInit) =>
    fetch(input, { ...(await encoded(init)), dispatcher, redirect: 'manual' } as Parameters<typeof fetch>[1]);
  return {
    url: url.href.replace(/\/+$/u, ''),
    fetch: send as unknown as typeof globalThis.fetch,
    close: () => dispatcher.destroy(),
  };
}

/** Undici's own fetch knows no form but its own, and would send another one as `[object FormData]`. */
async function encoded(init: RequestInit): Promise<RequestInit> {
  if (!(init.body instanceof FormData)) return init;
  const form = new Response(init.body);
  const headers = new Headers(init.headers);
  headers.set('content-type', form.headers.get('content-type') ?? '');
  return { ...init, headers: Object.fromEntries(headers), body: await form.bytes() };
}
