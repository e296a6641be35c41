/** Decides the outcome of a request from the endpoint and the rules for objects: the access matrix of the documentation. */
import { type Environment, type Scope, scopeReaches } from './access.ts';
import type { Endpoint } from './endpoint.ts';
import { crossEnvironments, mayUseOthers } from './object-access.ts';

/** A request of a key for one object. */
export interface Situation {
  scope: Scope;
  /** The environment of the calling key. */
  environment: Environment;
  /** Whether the key has a domain that the endpoint requires, the domain of the artwork, and those of the API key. */
  hasDomain: boolean;
  /** The creator of the object. */
  owner: 'this key' | 'another key' | 'another organization';
  /** The environment of the object. */
  objectEnvironment: Environment;
}

/** `left out`: a list does not contain the object. */
export type Outcome = 'allowed' | 'left out' | 403 | 404;

/** Returns what a key gets. A 403 never depends on the existence of a private object. */
export function outcomeOf(endpoint: Endpoint, situation: Situation): Outcome {
  const { access, uses } = endpoint;
  const { scope, environment, hasDomain, owner, objectEnvironment } = situation;
  if (access === 'public') return 'allowed';
  if (!scopeReaches(scope, access.scope)) return 403;
  if (access.domains && !hasDomain) return 403;
  if (access.environments?.includes(environment) === false) return 403;
  const hidden = isList(endpoint) ? 'left out' : 404;
  if (owner === 'another organization' && endpoint.path.includes('/:orgId')) return 404;
  if (!uses) return 'allowed';
  if (owner === 'another organization') return hidden;
  if (!hasDomain && uses.kind === 'artwork') return hidden;
  // A key cannot grant a domain that it lacks.
  if (!hasDomain && uses.kind === 'key' && uses.use === 'change') return 403;
  if (objectEnvironment !== environment) {
    const crossing = crossEnvironments(environment, uses.kind, uses.use);
    if (crossing !== 'allowed') return crossing === 'refused' ? 403 : hidden;
  }
  return owner === 'this key' || mayUseOthers(scope, uses.kind, uses.use) ? 'allowed' : hidden;
}

/** Returns whether the endpoint reads many objects, instead of the one that its path names. */
export const isList = ({ method, path }: Endpoint): boolean => method === 'GET' && !/:(?!orgId)/.test(path);
