/** Follows an artwork to its end: by its event stream if the service has one, otherwise by polling. */
import { openStream, request } from './service.js';

const ended = new Set(['SUCCEEDED', 'FAILED', 'CANCELED']);

/** Milliseconds between two polls: first, and at most. */
const [firstWait, maxWait] = [300, 2000];

/**
 * @param {string} id
 * @param {{ onChange: (view: { status: string, stage?: string }) => void, streams: boolean, signal: AbortSignal }} options
 * @returns {Promise<any>} the artwork
 */
export async function follow(id, { onChange, streams, signal }) {
  if (streams)
    await stream(id, onChange, signal).catch((error) => {
      // Polling replaces a broken stream.
      if (signal.aborted) throw error;
    });
  for (let wait = firstWait; ; wait = Math.min(wait * 1.3, maxWait)) {
    signal.throwIfAborted();
    const artwork = await request(`/v2/artworks/${id}`);
    if (ended.has(artwork.status)) return artwork;
    onChange(artwork);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** @param {string} id @param {(view: any) => void} onChange @param {AbortSignal} signal */
async function stream(id, onChange, signal) {
  const response = await openStream(`/v2/artworks/${id}/events`, signal);
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !response.body || !type.startsWith('text/event-stream')) return;
  let view = {};
  let rest = '';
  for await (const text of read(response.body)) {
    const blocks = (rest + text).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    for (const data of blocks.map(dataOf).filter(Boolean)) {
      view = { ...view, ...JSON.parse(data) };
      if ('status' in view) onChange(view);
    }
  }
}

/** Some browsers cannot iterate over a stream. @param {ReadableStream<Uint8Array>} body */
async function* read(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    yield decoder.decode(part.value, { stream: true });
  }
}

/** Returns the data of one event; empty for a heartbeat. @param {string} block */
function dataOf(block) {
  const lines = block.split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
}
