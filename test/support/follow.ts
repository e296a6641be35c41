/** Follows an artwork as a client does: reads server-sent events from the wire. */
import { eventually } from './eventually.ts';

export interface Heard {
  id: string;
  event: string;
  data: Record<string, unknown> & { id: string };
}

export interface Following {
  status: number;
  headers: Headers;
  /** So far. */
  events: Heard[];
  comments: string[];
  /** Milliseconds after which a client is told to come back. */
  retry: number | null;
  /** Resolves when the other side has closed it: whether it was closed in good order. */
  closed: Promise<'ended' | 'broken'>;
  /** The first event that fits, once it is there. */
  until(fits: (event: Heard) => boolean, timeout?: number): Promise<Heard>;
  /** Goes away. */
  leave(): void;
}

export async function follow(url: string, key: string, lastEventId?: string): Promise<Following> {
  const away = new AbortController();
  const headers = {
    authorization: `Bearer ${key}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const response = await fetch(url, { headers, signal: away.signal });
  const following: Following = {
    status: response.status,
    headers: response.headers,
    events: [],
    comments: [],
    retry: null,
    closed: read(response, (block) => take(following, block)),
    until: (fits, timeout = 30_000) =>
      eventually(() => {
        const found = following.events.find(fits);
        if (!found) throw new Error(`not among ${JSON.stringify(following.events.map(({ id }) => id))}`);
        return found;
      }, timeout),
    leave: () => away.abort(),
  };
  return following;
}

async function read(response: Response, onBlock: (block: string) => void): Promise<'ended' | 'broken'> {
  let text = '';
  try {
    for await (const part of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const blocks = (text + part).split('\n\n');
      text = blocks.pop() ?? '';
      blocks.forEach(onBlock);
    }
    return text === '' ? 'ended' : 'broken';
  } catch {
    return 'broken';
  }
}

function take(following: Following, block: string): void {
  if (block.startsWith(':')) return void following.comments.push(block.slice(1).trim());
  const lines = block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]);
  const fields: Record<string, string> = Object.fromEntries(lines);
  if ('retry' in fields) following.retry = Number(fields['retry']);
  if (!('data' in fields)) return;
  const { id = '', event = '', data = '' } = fields;
  following.events.push({ id, event, data: JSON.parse(data) as Heard['data'] });
}
