/** Keys of every kind, and objects that they own, for tests of the access rules. */
import { type Domain, type Environment, environments, type Scope, scopes } from '../../schemas/access.ts';
import { type Outcome, outcomeOf } from '../../schemas/access-matrix.ts';
import type { Endpoint } from '../../schemas/endpoint.ts';
import { insertArtwork } from '../../store/artworks.ts';
import type { Database } from '../../store/database.ts';
import { newArtwork } from './artworks.ts';
import { openTestDatabase } from './open-database.ts';
import { joinService } from './shared.ts';
import type { Service } from './stack.ts';
import { encodedStyle } from './styles.ts';
import { createTestKey, type TestKey } from './test-key.ts';
import { uploadedFile } from './uploads.ts';

export type ObjectKind = 'artwork' | 'file' | 'style' | 'key';

export interface Caller extends TestKey {
  scope: Scope;
  environment: Environment;
  org: string;
  domains: Domain[];
}

/** An object and what decides who may use it. Of an API key, `key` is the key itself. */
export interface Owned {
  id: string;
  kind: ObjectKind;
  org: string;
  key: string;
  environment: Environment;
  /** The domain that a key needs for the object. */
  domain: Domain;
}

export interface JoinedCallers {
  service: Service;
  db: Database;
  /** Keys of every kind in the service's organization. */
  callers: Caller[];
  /** Keys that create objects, in this organization and in another one. */
  creators: Caller[];
}

/** Joins a service that other tests use, with new organizations and keys. The caller closes the database. */
export async function joinWithCallers(): Promise<JoinedCallers> {
  const service = await joinService('accepting');
  const { orgId: other } = await joinService('accepting');
  const db = openTestDatabase(service.databaseUrl);
  const [callers, creators] = await Promise.all([
    everyCaller(db, service.orgId),
    everyCreator(db, [service.orgId, other]),
  ]);
  return { service, db, callers, creators };
}

/** Returns keys of every scope and environment: with all domains, with one that artworks have, and with none of them. */
function everyCaller(db: Database, org: string): Promise<Caller[]> {
  const domainSets: Domain[][] = [
    ['artworks-internal', 'style-dna', 'textcraft', 'studio'],
    ['textcraft', 'studio'],
    ['artworks-internal'],
    ['style-dna'],
  ];
  return Promise.all(
    scopes.flatMap((scope) =>
      environments.flatMap((environment) =>
        domainSets.map((domains) => newCaller(db, { org, scope, environment, domains })),
      ),
    ),
  );
}

/** Returns keys that create objects: one of each environment for each organization. */
function everyCreator(db: Database, orgs: readonly string[]): Promise<Caller[]> {
  const domains: Domain[] = ['artworks-internal', 'style-dna'];
  return Promise.all(
    orgs.flatMap((org) =>
      environments.map((environment) => newCaller(db, { org, scope: 'generator', environment, domains })),
    ),
  );
}

async function newCaller(db: Database, fields: Omit<Caller, keyof TestKey>): Promise<Caller> {
  return { ...fields, ...(await createTestKey(db, { ...fields, orgId: fields.org })) };
}

/** Makes objects of a key: an artwork of each domain, or one object of another kind. */
export const make: Record<ObjectKind, (db: Database, owner: Caller) => Promise<Owned[]>> = {
  artwork: async (db, owner) =>
    Promise.all(
      (['artworks-internal', 'style-dna'] as const).map(async (domain) => {
        const artwork = newArtwork({ org: owner.org, key: owner.id, price: 0 });
        const operation = domain === 'style-dna' ? 'style-dna/edit' : 'selena';
        await insertArtwork(db, { ...artwork, domain, operation, webhookUrl: 'https://example.com/hook' });
        return owned(owner, 'artwork', artwork.id, domain);
      }),
    ),
  file: async (db, owner) => [
    owned(owner, 'file', await uploadedFile(db, { org: owner.org, key: owner.id }), 'artworks-internal'),
  ],
  style: async (db, owner) => [
    owned(owner, 'style', await encodedStyle(db, { org: owner.org, key: owner.id }), 'style-dna'),
  ],
  key: async (db, { org, environment }) => {
    const { id } = await createTestKey(db, { orgId: org, environment, domains: ['textcraft'] });
    return [{ id, key: id, kind: 'key', org, environment, domain: 'textcraft' }];
  },
};

const owned = ({ org, id: key, environment }: Caller, kind: ObjectKind, id: string, domain: Domain): Owned => ({
  ...{ id, kind, org, key, environment, domain },
});

/** Returns what the access matrix of the documentation says. */
export function documentedOf(endpoint: Endpoint, caller: Caller, object: Owned): Outcome {
  const isForeign = caller.org !== object.org;
  const isFile = object.kind === 'file' && caller.domains.includes('style-dna');
  return outcomeOf(endpoint, {
    scope: caller.scope,
    environment: caller.environment,
    hasDomain: isFile || caller.domains.includes(object.domain),
    owner: isForeign ? 'another organization' : caller.id === object.key ? 'this key' : 'another key',
    objectEnvironment: object.environment,
  });
}
