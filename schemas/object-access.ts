/**
 * Decides which keys may use an object of an organization. The API, the conditions of queries and the access matrix in
 * `docs/security/access.md` use these rules.
 */
import { type Domain, type Environment, type Scope, scopeReaches } from './access.ts';

export type ObjectKind = 'artwork' | 'file' | 'style' | 'usage' | 'key';

/** `change` includes actions such as cancel, and deletion. Only a key can be revoked. */
export type Use = 'read' | 'change' | 'revoke';

/**
 * The lowest scope that may use objects of other keys of its organization. An object belongs to the key that created
 * it, and that key may always use it. API keys belong to the organization, so only the scope counts.
 */
const lowestScopes: Record<ObjectKind, Partial<Record<Use, Scope>>> = {
  artwork: { read: 'manager', change: 'admin' },
  file: { read: 'manager', change: 'admin' },
  style: { read: 'generator', change: 'manager' },
  usage: { read: 'manager' },
  key: { read: 'admin', change: 'admin', revoke: 'admin' },
};

/** Returns whether keys of this scope may use objects that other keys of their organization created. */
export function mayUseOthers(scope: Scope, kind: ObjectKind, use: Use): boolean {
  const lowest = lowestScopes[kind][use];
  return lowest !== undefined && scopeReaches(scope, lowest);
}

/** How a key sees an object of the other environment: `hidden` as if it did not exist, `refused` with a 403. */
export type Crossing = 'allowed' | 'refused' | 'hidden';

/** @param from the environment of the calling key */
export function crossEnvironments(from: Environment, kind: ObjectKind, use: Use): Crossing {
  if (kind !== 'key') return 'hidden';
  return from === 'test' && use === 'change' ? 'refused' : 'allowed';
}

/** The fields of an API key that decide what it may use. */
export interface Caller {
  id: string;
  org: string;
  scope: Scope;
  domains: readonly Domain[];
  environment: Environment;
}

interface OwnedObject {
  org: string;
  /** The key that created the object. */
  key: string;
  environment: Environment;
  /** Absent when the endpoint alone decides which domain a key needs. */
  domain?: Domain;
}

/** Returns whether a key may use an object. To every other key, the object does not exist. */
export function mayUse(caller: Caller, object: OwnedObject, kind: ObjectKind, use: Use): boolean {
  return (
    object.org === caller.org &&
    object.environment === caller.environment &&
    (object.domain === undefined || caller.domains.includes(object.domain)) &&
    (object.key === caller.id || mayUseOthers(caller.scope, kind, use))
  );
}
