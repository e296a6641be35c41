/** The permissions of API keys. Scopes form a hierarchy and domains are a set; a request must satisfy both. */

export const scopes = ['generator', 'manager', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Scopes that the API can grant. Only the operator creates admin keys. */
export const grantableScopes = ['manager', 'generator'] as const;

export const domains = ['artworks-internal', 'style-dna', 'textcraft', 'studio'] as const;
export type Domain = (typeof domains)[number];

export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

/** Returns whether a key with the scope `has` may do what requires the scope `needs`. */
export function scopeReaches(has: Scope, needs: Scope): boolean {
  return scopes.indexOf(has) >= scopes.indexOf(needs);
}

/** The permissions that an endpoint requires: the scope and any one of the domains. `null` requires no domain. */
export interface Access {
  scope: Scope;
  domains: readonly Domain[] | null;
  /** The environments whose keys may send the request. Default: both. */
  environments?: readonly Environment[];
}

/** Returns the access of every key with the scope, whatever its domains. */
export const byScope = (scope: Scope): Access => ({ scope, domains: null });
