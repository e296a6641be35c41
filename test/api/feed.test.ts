/** The feed of one process: limits on streams, the events that reach them, and the reasons that end them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import type { EventStream } from '../../api/stream/event-stream.ts';
import { type Feed, openFeed } from '../../api/stream/feed.ts';
import { insertArtwork } from '../../store/artworks.ts';
import { type Changes, listenForChanges } from '../../store/changes.ts';
import { type Database, openDatabase } from '../../store/database.ts';
import { openLinks } from '../../store/links.ts';
import { openVault } from '../../store/vault.ts';
import { newArtwork } from '../support/artworks.ts';
import { type OwnDatabase, ownDatabase, secret } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

let own: OwnDatabase;
let db: Database;
let changes: Changes;
let feed: Feed;
const stopping = new AbortController();

beforeAll(async () => {
  own = await ownDatabase();
  db = openDatabase({ url: own.url, name: 'feed' });
  changes = listenForChanges(own.url, 'feed-listening', () => undefined);
  const links = openLinks(openVault(secret), 'http://127.0.0.1');
  const deps = { db, changes, links, stopping: stopping.signal, now: Date.now, log: pino({ level: 'silent' }) };
  feed = openFeed(deps, { maxStreams: 4, maxStreamsOfKey: 3, sweep: 200 });
});
afterAll(async () => {
  stopping.abort();
  await changes.close();
  await db.close();
  await own.sql.end();
});

/** Returns a stream that collects its events in `sent`. */
function streamTo(sent: string[]): EventStream {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  return { send: (text) => void sent.push(text), end: resolve, closed };
}

async function stored(): Promise<string> {
  const artwork = newArtwork({ ...own.owner, price: 0 });
  await insertArtwork(db, artwork);
  return artwork.id;
}

async function followed(keyId = own.owner.key): Promise<{ sent: string[]; stream: EventStream; artworkId: string }> {
  const [artworkId, sent] = [await stored(), []];
  const stream = streamTo(sent);
  feed.admit(keyId);
  feed.follow({ artworkId, keyId, lastEventId: undefined, stream });
  return { sent, stream, artworkId };
}

test('limits the streams of a key and of the process until one of them ends', async () => {
  const mine = [await followed(), await followed(), await followed()];
  await eventually(() => mine.forEach(({ sent }) => expect(sent).toHaveLength(1)));
  expect(() => feed.admit(own.owner.key)).toThrow(expect.objectContaining({ code: 'rate_limited' }));
  expect(() => feed.admit('key_of_another')).not.toThrow();

  mine[0]?.stream.end();
  await mine[0]?.stream.closed;
  mine.push(await followed());
  await own.sql.query(
    `insert into api_key select 'key_two', org_id, '\\x00', prefix, label, scope, domains, environment, credits, usage_count, last_used_at, expires_at, revoked_at, created_at, rate_creations, rate_others from api_key limit 1`,
  );
  const other = await followed('key_two');
  expect(() => feed.admit('key_of_a_third')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  for (const { stream } of [...mine, other]) stream.end();
  await other.stream.closed;
  expect(() => feed.admit(own.owner.key)).not.toThrow();
});

test('changes to many artworks at once reach every follower', async () => {
  const all = [await followed(), await followed(), await followed()];
  await eventually(() => all.forEach(({ sent }) => expect(sent).toHaveLength(1)));
  const ids = all.map(({ artworkId }) => artworkId);
  await own.sql.query(`update artwork set status = 'PROCESSING', started_at = now() where id = any($1)`, [ids]);
  await eventually(() => all.forEach(({ sent }) => expect(sent).toHaveLength(3)));
  for (const { sent } of all)
    expect(sent.map((text) => text.split('\n', 2))).toEqual([
      ['id: 0', 'event: status'],
      ['id: 1', 'event: status'],
      ['id: 2', 'event: progress'],
    ]);
  for (const { stream } of all) stream.end();
});

test('ends the stream of an expired artwork that no workflow purges', async () => {
  const { artworkId, sent, stream } = await followed();
  await eventually(() => expect(sent).toHaveLength(1));
  // PostgreSQL announces only changes of the status, so the regular sweep has to notice this change.
  await own.sql.query('update artwork set expires_at = now() where id = $1', [artworkId]);
  await stream.closed;
  expect(sent).toHaveLength(1);
});

test('a stopping process ends all streams, including those that start afterwards', async () => {
  const before = await followed();
  stopping.abort();
  await before.stream.closed;
  const late = streamTo([]);
  feed.follow({ artworkId: before.artworkId, keyId: own.owner.key, lastEventId: undefined, stream: late });
  await late.closed;
});
