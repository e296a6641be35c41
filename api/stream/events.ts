/**
 * The events of an artwork's stream. The id of an event is the artwork's position: 0 when accepted, 1 when processing
 * begins, 2 and above for its progress, `end` for its final status. Stored rows determine the position, so that any
 * process can resume a stream.
 */
import type { ArtworkView } from '../../schemas/artwork.ts';
import type { ProgressView } from '../../schemas/artwork-feed.ts';
import type { ArtworkWithProgress } from '../../services/artwork-views.ts';

export interface ServerEvent {
  /** In the format of server-sent events. */
  text: string;
  /** The artwork's position that a client knows after this event. */
  seen: number;
  /** Whether the stream ends after this event. */
  isLast: boolean;
}

// Positions of an artwork.
const nothing = -1;
const accepted = 0;
const processing = 1;
const firstProgress = 2;
const everything = Infinity;

const end = 'end';

export const hasSeenEnd = (lastEventId: string | undefined): boolean => lastEventId === end;

/**
 * Returns the position after which a client resumes. Ignores an id that the artwork has not reached, because it comes
 * from the stream of another artwork.
 */
export function resumeFrom(lastEventId: string | undefined, shown: ArtworkWithProgress): number {
  const seen = lastEventId !== undefined && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : nothing;
  return seen > positionOf(shown) ? nothing : seen;
}

function positionOf({ view, progress }: ArtworkWithProgress): number {
  if (view.finishedAt !== null) return everything;
  if (view.status === 'STARTING') return accepted;
  return progress ? firstProgress + progress.updates : processing;
}

/** Returns the events that bring a client up to date. Missed steps are skipped, because each event is complete. */
export function eventsAfter(seen: number, shown: ArtworkWithProgress): ServerEvent[] {
  const { view, progress } = shown;
  const position = positionOf(shown);
  if (position === everything) return [event(end, 'status', view, everything)];
  const status = Math.min(position, processing);
  const events = status > seen ? [event(String(status), 'status', view, status)] : [];
  if (progress && position > seen) {
    const { stage, done, total } = progress;
    const data: ProgressView = { id: view.id, stage, done, total };
    events.push(event(String(position), 'progress', data, position));
  }
  return events;
}

function event(id: string, name: 'status' | 'progress', data: ArtworkView | ProgressView, seen: number): ServerEvent {
  return { text: `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`, seen, isLast: seen === everything };
}
