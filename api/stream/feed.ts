/**
 * Sends changes of artworks to the streams that follow them in this process. PostgreSQL notifies which artworks have
 * changed. One refresh then reads them for all their followers, and only one refresh runs at a time.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { withoutDeadline } from '../../runtime/deadline.ts';
import { findArtworks } from '../../store/artworks.ts';
import { mayUseArtwork } from '../../store/artwork-list.ts';
import type { ApiKey } from '../../store/entities.ts';
import { keyStatus } from '../../services/key-view.ts';
import { findKeys } from '../../store/keys.ts';
import type { Dependencies } from '../dependencies.ts';
import type { EventStream } from './event-stream.ts';
import { eventsAfter, resumeFrom } from './events.ts';
import { Problem } from '../../services/problem.ts';
import { type ArtworkWithProgress, showArtworks } from '../../services/artwork-views.ts';

export interface Follower {
  artworkId: string;
  keyId: string;
  /** The last event that the client received on an earlier stream. */
  lastEventId: string | undefined;
  stream: EventStream;
}

export interface Feed {
  /** @throws Problem when this process, or the key in this process, has reached its limit of streams */
  admit(keyId: string): void;
  /** Sends events until the artwork ends, the key may no longer read it, or this process stops. */
  follow(follower: Follower): void;
}

/**
 * Maximum streams of this process, and of one key in it. `sweep`: milliseconds between refreshes of all followed
 * artworks, because an expiry causes no notification.
 */
const limits = { maxStreams: 10_000, maxStreamsOfKey: 2000, sweep: 30_000 };

/** Maximum artworks in one refresh. */
const atOnce = 100;
/** Milliseconds before the next refresh when the database failed. */
const pause = 500;

/** `seen` is null before the first refresh. */
type Following = Follower & { seen: number | null };

type FeedDependencies = Pick<Dependencies, 'db' | 'links' | 'changes' | 'stopping' | 'now' | 'log'>;

export function openFeed(deps: FeedDependencies, { maxStreams, maxStreamsOfKey, sweep } = limits): Feed {
  const followers = new Set<Following>();
  const byArtwork = new Map<string, Set<Following>>();
  const changed = new Set<string>();
  let isRefreshing = false;
  let isDatabaseDown = false;

  const markChanged = (ids: Iterable<string>) => {
    for (const id of ids) if (byArtwork.has(id)) changed.add(id);
    // The refresh serves all streams, and outlives the request that has opened one.
    if (!isRefreshing) void withoutDeadline(refreshAll);
  };
  const refreshAll = async () => {
    isRefreshing = true;
    while (changed.size > 0) {
      const ids = [...changed].slice(0, atOnce);
      for (const id of ids) changed.delete(id);
      try {
        await refresh(ids);
        isDatabaseDown = false;
      } catch (err) {
        if (!isDatabaseDown) deps.log.warn({ err }, 'Event streams are delayed: the database did not respond');
        isDatabaseDown = true;
        for (const id of ids) if (byArtwork.has(id)) changed.add(id);
        await delay(pause);
      }
    }
    isRefreshing = false;
  };
  const refresh = async (ids: readonly string[]) => {
    const following = () => ids.flatMap((id) => [...(byArtwork.get(id) ?? [])]);
    const keyIds = new Set(following().map(({ keyId }) => keyId));
    const [artworks, keys] = await Promise.all([findArtworks(deps.db, ids), findKeys(deps.db, [...keyIds])]);
    const shown = new Map((await showArtworks(deps, artworks)).map((one) => [one.view.id, one]));
    const now = new Date(deps.now());
    const readable = new Map(
      artworks.map((artwork) => [artwork.id, (key: ApiKey) => mayUseArtwork(key, artwork, 'read', now)]),
    );
    for (const one of following()) {
      // The key of a stream that opened during this refresh was not read. The next refresh includes the stream.
      if (!keyIds.has(one.keyId)) continue;
      const key = keys.find(({ id }) => id === one.keyId);
      const artwork = shown.get(one.artworkId);
      const mayFollow = key && keyStatus(key, now) === 'active' && readable.get(one.artworkId)?.(key);
      if (artwork && mayFollow) send(one, artwork);
      else one.stream.end();
    }
  };

  const stop = () => {
    clearInterval(sweeping);
    for (const { stream } of followers) stream.end();
  };
  const sweeping = setInterval(() => markChanged(byArtwork.keys()), sweep).unref();
  deps.stopping.addEventListener('abort', stop, { once: true });
  deps.changes.watch((id) => markChanged(id === null ? byArtwork.keys() : [id]));

  return {
    admit(keyId) {
      if (followers.size >= maxStreams) throw new Problem('unavailable');
      if ([...followers].filter((one) => one.keyId === keyId).length < maxStreamsOfKey) return;
      const message = `This API key follows ${maxStreamsOfKey} artworks already. Close a stream or use webhooks.`;
      throw new Problem('rate_limited', { message, headers: { 'Retry-After': '30' }, limit: 'keyStreams' });
    },
    follow(follower) {
      const { artworkId, stream } = follower;
      if (deps.stopping.aborted) return stream.end();
      const one = { ...follower, seen: null };
      followers.add(one);
      const all = byArtwork.get(artworkId) ?? new Set();
      byArtwork.set(artworkId, all.add(one));
      void stream.closed.then(() => {
        followers.delete(one);
        all.delete(one);
        if (all.size === 0 && byArtwork.get(artworkId) === all) byArtwork.delete(artworkId);
      });
      markChanged([artworkId]);
    },
  };
}

function send(one: Following, work: ArtworkWithProgress): void {
  one.seen ??= resumeFrom(one.lastEventId, work);
  for (const { text, seen, isLast } of eventsAfter(one.seen, work)) {
    one.stream.send(text);
    one.seen = seen;
    if (isLast) one.stream.end();
  }
}
