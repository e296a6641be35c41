/** Organizations: keys, the webhook secret, usage, the audit. */
import { byScope } from '../access.ts';
import { auditEntry } from '../audit.ts';
import {
  apiKey,
  createApiKey,
  newApiKey,
  organization,
  rotateSecret,
  rotatedSecret,
  updateApiKey,
} from '../organization.ts';
import { listOf, pageQuery } from '../page.ts';
import { usage, usageQuery } from '../usage.ts';
import type { Endpoint } from '../endpoint.ts';

export const organizations = {
  readOrganization: {
    method: 'GET',
    path: '/v2/organizations/:orgId',
    tag: 'Organizations',
    summary: 'Read your organization.',
    access: byScope('manager'),
    answers: { 200: { description: 'The organization.', schema: organization } },
    errors: ['not_found'],
  },
  createKey: {
    method: 'POST',
    path: '/v2/organizations/:orgId/api-keys',
    tag: 'Organizations',
    summary: 'Make an API key. The full key is in this answer only.',
    access: byScope('admin'),
    body: createApiKey,
    bodyExample: { label: 'web shop', scope: 'generator', domains: ['artworks-internal'] },
    answers: { 201: { description: 'The key.', schema: newApiKey } },
    errors: ['not_found', 'scope_not_grantable', 'domain_not_grantable', 'environment_not_grantable'],
  },
  listKeys: {
    method: 'GET',
    path: '/v2/organizations/:orgId/api-keys',
    tag: 'Organizations',
    summary: 'API keys, newest first, revoked and expired ones too.',
    access: byScope('admin'),
    query: pageQuery,
    answers: { 200: { description: 'A page of keys, without the keys themselves.', schema: listOf(apiKey) } },
    errors: ['not_found', 'validation_failed'],
  },
  readKey: {
    method: 'GET',
    path: '/v2/organizations/:orgId/api-keys/:keyId',
    tag: 'Organizations',
    summary: 'Read an API key, without the key itself.',
    access: byScope('admin'),
    answers: { 200: { description: 'The key.', schema: apiKey } },
    errors: ['not_found'],
  },
  updateKey: {
    method: 'PATCH',
    path: '/v2/organizations/:orgId/api-keys/:keyId',
    tag: 'Organizations',
    summary: 'Change the label, the credits or the expiry of an API key.',
    description:
      'A key changes only keys that it could make: no admin keys, which are the operator’s, none with domains that ' +
      'it has not itself, and none that are live while it is a test key. A revoked key stays as it is (409).',
    access: byScope('admin'),
    body: updateApiKey,
    bodyExample: { label: 'web shop', credits: 500 },
    answers: { 200: { description: 'The key as it is now.', schema: apiKey } },
    errors: ['not_found', 'conflict', 'domain_not_grantable', 'environment_not_grantable'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v2/organizations/:orgId/api-keys/:keyId',
    tag: 'Organizations',
    summary: 'Revoke an API key, at once and for good.',
    access: byScope('admin'),
    answers: { 200: { description: 'The key, revoked.', schema: apiKey } },
    errors: ['not_found', 'conflict'],
  },
  rotateSecret: {
    method: 'POST',
    path: '/v2/organizations/:orgId/webhook-secret',
    tag: 'Organizations',
    summary: 'Replace the secret that signs your webhooks.',
    access: byScope('manager'),
    body: rotateSecret,
    bodyOptional: true,
    bodyExample: { gracePeriodSeconds: 3600 },
    answers: { 200: { description: 'The new secret, in this answer only.', schema: rotatedSecret } },
    errors: ['not_found'],
  },
  listAudit: {
    method: 'GET',
    path: '/v2/organizations/:orgId/audit',
    tag: 'Organizations',
    summary: 'Who changed keys and the webhook secret, newest first.',
    access: byScope('admin'),
    query: pageQuery,
    answers: { 200: { description: 'A page of changes.', schema: listOf(auditEntry) } },
    errors: ['not_found', 'validation_failed'],
  },
  readUsage: {
    method: 'GET',
    path: '/v2/usage',
    tag: 'Organizations',
    summary: 'Requests, artworks and credits of your organization by day, operation and key.',
    description: 'Counts may lag by seconds. They outlive the artworks.',
    access: { scope: 'manager', domains: ['studio'] },
    query: usageQuery,
    answers: { 200: { description: 'A page of the days asked for, and the sums of all of them.', schema: usage } },
    errors: ['validation_failed'],
  },
} as const satisfies Record<string, Endpoint>;
