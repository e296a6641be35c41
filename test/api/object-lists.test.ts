/** Lists contain, and requests can name, only objects that the key may use: every scope, domain, environment and owner. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Domain, environments, type Scope } from '../../schemas/access.ts';
import { isList } from '../../schemas/access-matrix.ts';
import { endpoints } from '../../schemas/endpoints.ts';
import type { Database } from '../../store/database.ts';
import { call } from '../support/client.ts';
import { type Caller, documentedOf, joinWithCallers, make, type Owned } from '../support/owned-objects.ts';
import { expectProblem, rules } from '../support/problem.ts';
import type { Service } from '../support/stack.ts';

let service: Service;
let db: Database;
let callers: Caller[];
let creators: Caller[];

beforeAll(async () => {
  ({ service, db, callers, creators } = await joinWithCallers());
});
afterAll(() => db.close());

/** The ids of all pages of a list. */
async function listed(path: string, { apiKey }: Caller): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const page = await call<{ items: { id?: string; keyId?: string }[]; nextCursor: string | null }>(
      `${service.baseUrl}${path}?limit=3${cursor && `&cursor=${cursor}`}`,
      { key: apiKey },
    );
    if (page.status !== 200) return [String(page.status)];
    ids.push(...page.body.items.map(({ id, keyId }) => id ?? keyId ?? ''));
    if (page.body.nextCursor === null) return ids;
    cursor = page.body.nextCursor;
  }
}

test.each([
  ['artwork', endpoints.listArtworks, ['manager', 'admin']],
  ['file', endpoints.listFiles, ['manager', 'admin']],
  ['style', endpoints.listStyles, ['generator', 'manager', 'admin']],
] as const)('the list of every %s contains what the key may read, newest first', async (kind, endpoint, allowed) => {
  expect(isList(endpoint)).toBe(true);
  const strangers = await Promise.all([...creators, ...creators].map((owner) => make[kind](db, owner)));
  for (const caller of callers) {
    const objects = [...strangers, await make[kind](db, caller)].flat();
    const isListed = (object: Owned) =>
      object.org === caller.org &&
      object.environment === caller.environment &&
      (kind !== 'artwork' || caller.domains.includes(object.domain)) &&
      (object.key === caller.id || (allowed as readonly Scope[]).includes(caller.scope));
    const needed: Domain[] = kind === 'style' ? ['style-dna'] : ['artworks-internal', 'style-dna'];
    const ids = await listed(endpoint.path, caller);
    if (kind !== 'artwork' && !caller.domains.some((domain) => needed.includes(domain))) {
      expect(ids).toEqual(['403']);
      continue;
    }
    expect(ids).toEqual(ids.toSorted().toReversed());
    const among = objects.filter(({ id }) => ids.includes(id));
    expect({ caller, among }).toEqual({ caller, among: objects.filter(isListed) });
    for (const object of objects) {
      expect(documentedOf(endpoint, caller, object)).toBe(isListed(object) ? 'allowed' : 'left out');
    }
  }
});

test('GET /v2/organizations/:orgId/api-keys contains the keys of both environments', async () => {
  const admins = callers.filter(({ scope }) => scope === 'admin');
  for (const admin of admins) {
    const ids = await listed(`/v2/organizations/${service.orgId}/api-keys`, admin);
    expect(ids).toEqual(expect.arrayContaining(callers.map(({ id }) => id)));
  }
});

test.each(environments)('a %s key names styles and files of its environment only', async (environment) => {
  const key = callers.find((one) => one.scope === 'generator' && one.environment === environment)!;
  for (const owner of creators.slice(0, 2)) {
    const [style] = await make.style(db, owner);
    const [file] = await make.file(db, { ...owner, id: owner.environment === environment ? key.id : owner.id });
    const post = (path: string, body: object) =>
      call(`${service.baseUrl}${path}`, { method: 'POST', key: key.apiKey, body });
    const styled = await post('/v2/style-dna/generate', { prompt: 'a fox', styleDnaId: style!.id });
    const masked = await post('/v2/artworks/depth-map', { image: file!.id });
    if (owner.environment === environment) expect([styled.status, masked.status]).toEqual([202, 202]);
    else {
      expect(rules(expectProblem(styled, 'validation_failed'))).toEqual(['/styleDnaId exists']);
      expect(rules(expectProblem(masked, 'validation_failed'))).toEqual(['/image exists']);
    }
  }
});
