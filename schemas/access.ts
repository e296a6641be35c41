/** Who may do what: scopes are a strict hierarchy, domains a plain list; both must pass on every request. */

export const scopes = ['generator', 'manager', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** Scopes that the API can give; admin keys come from the operator only. */
export const grantableScopes = ['manager', 'generator'] as const;

export const domains = ['artworks-internal', 'style-dna', 'textcraft', 'studio'] as const;
export type Domain = (typeof domains)[number];

export const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

/** Whether a key of scope `has` may do what needs `needs`. */
export function scopeReaches(has: Scope, needs: Scope): boolean {
  return scopes.indexOf(has) >= scopes.indexOf(needs);
}

/** What an endpoint asks of a key. `domains: null` asks for the scope only; of several domains any one will do. */
export interface Access {
  scope: Scope;
  domains: readonly Domain[] | null;
}

/** Open to every key of the scope, whatever its domains. */
export const byScope = (scope: Scope): Access => ({ scope, domains: null });
