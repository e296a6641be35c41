/** Endpoints of an organization: its keys, webhook secret, usage and audit log. */
import { byScope } from '../access.ts';
import { auditEntry } from '../audit.ts';
import {
  apiKey,
  createApiKey,
  keysQuery,
  newApiKey,
  organization,
  rollApiKey,
  rolledApiKey,
  rotateSecret,
  rotatedSecret,
  updateApiKey,
} from '../organization.ts';
import { limitsExample, limitsView } from '../limits-view.ts';
import { rotateSigningKey, signingKey } from '../signing-key.ts';
import { listOf, pageQuery } from '../page.ts';
import { usage, usageQuery } from '../usage.ts';
import { resumeDestination, webhookDestination } from '../webhook-destination.ts';
import type { Endpoint } from '../endpoint.ts';

export const organizations = {
  readOrganization: {
    method: 'GET',
    path: '/v2/organizations/:orgId',
    tag: 'Organizations',
    summary: 'Read your organization.',
    access: byScope('manager'),
    responses: { 200: { description: 'The organization.', schema: organization } },
    errors: ['not_found'],
  },
  createKey: {
    method: 'POST',
    path: '/v2/organizations/:orgId/api-keys',
    tag: 'Organizations',
    summary: 'Create an API key. Only this response contains the full key.',
    access: byScope('admin'),
    uses: { kind: 'key', use: 'change' },
    body: createApiKey,
    bodyExample: { label: 'web shop', scope: 'generator', domains: ['artworks-internal'] },
    responses: { 201: { description: 'The key.', schema: newApiKey } },
    errors: ['not_found', 'scope_not_grantable', 'domain_not_grantable', 'environment_not_grantable'],
  },
  listKeys: {
    method: 'GET',
    path: '/v2/organizations/:orgId/api-keys',
    tag: 'Organizations',
    summary: 'List API keys, including revoked and expired ones, newest first.',
    access: byScope('admin'),
    uses: { kind: 'key', use: 'read' },
    query: keysQuery,
    responses: { 200: { description: 'A page of keys, without their secrets.', schema: listOf(apiKey) } },
    errors: ['not_found', 'validation_failed'],
  },
  readKey: {
    method: 'GET',
    path: '/v2/organizations/:orgId/api-keys/:keyId',
    tag: 'Organizations',
    summary: 'Read an API key, without its secret.',
    access: byScope('admin'),
    uses: { kind: 'key', use: 'read' },
    responses: { 200: { description: 'The key.', schema: apiKey } },
    errors: ['not_found'],
  },
  updateKey: {
    method: 'PATCH',
    path: '/v2/organizations/:orgId/api-keys/:keyId',
    tag: 'Organizations',
    summary: 'Change the label, credits, expiry or allowed addresses of an API key.',
    description:
      'A key can change only keys that it could create: no admin keys, no keys with domains that it lacks, and no ' +
      'live keys if it is a test key. A revoked key cannot be changed (409).',
    access: byScope('admin'),
    uses: { kind: 'key', use: 'change' },
    body: updateApiKey,
    bodyExample: { label: 'web shop', credits: 500 },
    responses: { 200: { description: 'The changed key.', schema: apiKey } },
    errors: ['not_found', 'conflict', 'domain_not_grantable', 'environment_not_grantable'],
  },
  rollKey: {
    method: 'POST',
    path: '/v2/organizations/:orgId/api-keys/:keyId/roll',
    tag: 'Organizations',
    summary: 'Replace an API key by a new one that owns the same artworks, files, credits and usage.',
    description:
      'The key keeps its id and permissions. The previous key stops working immediately, or after `gracePeriodSeconds`. ' +
      'A key can roll only keys that it could create. A revoked or expired key cannot be rolled (409), nor one that outlives the `maxKeyDays` of the calling key.',
    access: byScope('admin'),
    uses: { kind: 'key', use: 'change' },
    body: rollApiKey,
    bodyOptional: true,
    bodyExample: { gracePeriodSeconds: 86400 },
    responses: { 200: { description: 'The key. Only this response contains it in full.', schema: rolledApiKey } },
    errors: ['not_found', 'conflict', 'domain_not_grantable', 'environment_not_grantable'],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v2/organizations/:orgId/api-keys/:keyId',
    tag: 'Organizations',
    summary: 'Revoke an API key immediately and permanently.',
    description: 'An admin key of either environment can revoke any manager and generator key of its organization.',
    access: byScope('admin'),
    uses: { kind: 'key', use: 'revoke' },
    responses: { 200: { description: 'The revoked key.', schema: apiKey } },
    errors: ['not_found', 'conflict'],
  },
  rotateSecret: {
    method: 'POST',
    path: '/v2/organizations/:orgId/webhook-secret',
    tag: 'Organizations',
    summary: 'Replace the secret that signs your webhooks.',
    description: 'One secret signs the webhooks of both environments. Only a live key can replace it.',
    access: { ...byScope('manager'), environments: ['live'] },
    body: rotateSecret,
    bodyOptional: true,
    bodyExample: { gracePeriodSeconds: 3600 },
    responses: { 200: { description: 'The new secret. Only this response contains it.', schema: rotatedSecret } },
    errors: ['not_found', 'environment_not_grantable'],
  },
  rotateWebhookSigningKey: {
    method: 'POST',
    path: '/v2/organizations/:orgId/webhook-signing-key',
    tag: 'Organizations',
    summary: 'Create or replace the key that signs your webhooks asymmetrically.',
    description:
      'From now on, `webhook-signature` also has a value `v1a,…`, which receivers verify with the public key. The ' +
      'signatures of the webhook secret stay. One key signs the webhooks of both environments. Only a live key can ' +
      'create or replace it.',
    access: { ...byScope('manager'), environments: ['live'] },
    body: rotateSigningKey,
    bodyOptional: true,
    bodyExample: { gracePeriodSeconds: 86400 },
    responses: { 200: { description: 'The public key.', schema: signingKey } },
    errors: ['not_found', 'environment_not_grantable'],
  },
  readWebhookSigningKey: {
    method: 'GET',
    path: '/v2/organizations/:orgId/webhook-signing-key',
    tag: 'Organizations',
    summary: 'Read the public key that verifies your webhooks.',
    access: byScope('manager'),
    responses: { 200: { description: 'The public key.', schema: signingKey } },
    errors: ['not_found'],
  },
  deleteWebhookSigningKey: {
    method: 'DELETE',
    path: '/v2/organizations/:orgId/webhook-signing-key',
    tag: 'Organizations',
    summary: 'End the asymmetric signatures of your webhooks at once.',
    access: { ...byScope('manager'), environments: ['live'] },
    responses: { 204: { description: 'The key is deleted.' } },
    errors: ['not_found', 'environment_not_grantable'],
  },
  listWebhookDestinations: {
    method: 'GET',
    path: '/v2/organizations/:orgId/webhook-destinations',
    tag: 'Organizations',
    summary: 'List the destinations of your webhooks that fail or are paused.',
    description:
      'A destination is a `webhookUrl` without its query. If all of its attempts have failed for days, it is paused: ' +
      'attempts fail without a request, as `destination paused`, except for one in ten minutes. A delivered event, a ' +
      'redelivery or `resume` ends the pause. Destinations that work are not listed. A key sees those of ' +
      'its environment.',
    access: byScope('manager'),
    query: pageQuery,
    responses: { 200: { description: 'A page of destinations.', schema: listOf(webhookDestination) } },
    errors: ['not_found', 'validation_failed'],
  },
  resumeWebhookDestination: {
    method: 'POST',
    path: '/v2/organizations/:orgId/webhook-destinations/resume',
    tag: 'Organizations',
    summary: 'Resume a paused destination, and forget its failures.',
    access: byScope('manager'),
    body: resumeDestination,
    bodyExample: { id: 'dst_0f3c1d2a9b8e7f60415a2b3c4d' },
    responses: { 204: { description: 'The destination is resumed.' } },
    errors: ['not_found'],
  },
  listAudit: {
    method: 'GET',
    path: '/v2/organizations/:orgId/audit',
    tag: 'Organizations',
    summary: 'List the changes of your organization, newest first.',
    access: byScope('admin'),
    query: pageQuery,
    responses: { 200: { description: 'A page of changes.', schema: listOf(auditEntry) } },
    errors: ['not_found', 'validation_failed'],
  },
  readUsage: {
    method: 'GET',
    path: '/v2/usage',
    tag: 'Organizations',
    summary: 'Read the requests, artworks and credits of your organization by day, operation and key.',
    description:
      'Contains the keys of the environment of your key. Counts may lag by seconds. They are kept when the artworks ' +
      'are purged.',
    access: { scope: 'manager', domains: ['studio'] },
    uses: { kind: 'usage', use: 'read' },
    query: usageQuery,
    responses: { 200: { description: 'A page of usage, and the totals of all requested days.', schema: usage } },
    errors: ['validation_failed'],
  },
  readLimits: {
    method: 'GET',
    path: '/v2/usage/limits',
    tag: 'Organizations',
    summary: 'Read the limits of your key and of your organization, with their current use.',
    description:
      'A request that exceeds a limit gets 429 with `Retry-After`, or 402 for `creditsPerDay` and `creditsPerMonth`; its ' +
      'message names the limit. The operator can change the limits of your organization.',
    access: byScope('generator'),
    responses: { 200: { description: 'The limits.', schema: limitsView, example: limitsExample } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>;
