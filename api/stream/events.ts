/**
 * What the stream of an artwork says. An event's id says how much had happened by then, counted from what is stored, so
 * that any process can go on where another broke off: 0 accepted, 1 at work, from 2 on its progress, `end`.
 */
import type { ArtworkView } from '../../schemas/artwork.ts';
import type { ProgressView } from '../../schemas/artwork-feed.ts';
import type { Shown } from '../../services/artwork-views.ts';

export interface ServerEvent {
  /** As the wire has it. */
  text: string;
  /** What a client has seen once it has this event. */
  seen: number;
  /** Whether the stream closes behind it. */
  isLast: boolean;
}

const nothing = -1;
const accepted = 0;
const atWork = 1;
const firstProgress = 2;
const everything = Infinity;

const end = 'end';

export const hasSeenEnd = (lastEventId: string | undefined): boolean => lastEventId === end;

/** Where a client goes on. @param lastEventId one that this artwork has not come to yet is of another, and counts as none */
export function resumeFrom(lastEventId: string | undefined, shown: Shown): number {
  const seen = lastEventId !== undefined && /^\d{1,9}$/.test(lastEventId) ? Number(lastEventId) : nothing;
  return seen > positionOf(shown) ? nothing : seen;
}

function positionOf({ view, progress }: Shown): number {
  if (view.finishedAt !== null) return everything;
  if (view.status === 'STARTING') return accepted;
  return progress ? firstProgress + progress.facts : atWork;
}

/** What is new in an artwork as it is now. Steps that passed unseen are not made up for: each event says all there is to say. */
export function eventsAfter(seen: number, shown: Shown): ServerEvent[] {
  const { view, progress } = shown;
  const position = positionOf(shown);
  if (position === everything) return [event(end, 'status', view, everything)];
  const status = Math.min(position, atWork);
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
