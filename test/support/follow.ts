/** Follows an artwork as a client does: reads its server-sent events. */
import { eventually } from './eventually.ts';

export interface ReceivedEvent {
  id: string;
  event: string;
  data: Record<string, unknown> & { id: string };
}

export interface Following {
  status: number;
  headers: Headers;
  /** Events received so far. */
  events: ReceivedEvent[];
  comments: string[];
  /** Milliseconds before a client reconnects, as the server says. */
  retry: number | null;
  /** Resolves when the server has closed the stream: `ended` at the end of an event, `broken` otherwise. */
  closed: Promise<'ended' | 'broken'>;
  /** Resolves to the first event that fits. */
  until(fits: (event: ReceivedEvent) => boolean, timeout?: number): Promise<ReceivedEvent>;
  /** Disconnects. */
  leave(): void;
}

export async function follow(url: string, key: string, lastEventId?: string): Promise<Following> {
  const leaving = new AbortController();
  const headers = {
    authorization: `Bearer ${key}`,
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  };
  const response = await fetch(url, { headers, signal: leaving.signal });
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
        if (!found)
          throw new Error(
            `None of the received events matches: ${JSON.stringify(following.events.map(({ id }) => id))}`,
          );
        return found;
      }, timeout),
    leave: () => leaving.abort(),
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
  following.events.push({ id, event, data: JSON.parse(data) as ReceivedEvent['data'] });
}
