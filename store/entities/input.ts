/** Encoded styles and uploaded images, to which requests refer by id. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { ImageType } from '../../schemas/image.ts';
import type { EncodedStyle } from '../../schemas/style-dna.ts';
import { environment } from './environment.ts';
import { Organization, ApiKey } from './organization.ts';
import { time } from './time.ts';

/** An encoded style. It remains when the artwork that encoded it is purged. */
export const Style = defineEntity({
  name: 'Style',
  // The first index serves release 2.6.2, and the last one the deletion of a key.
  indexes: [{ properties: ['org', 'id'] }, { properties: ['org', 'environment', 'id'] }, { properties: ['key'] }],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade'),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    environment: environment(),
    name: p.text(),
    dna: p.json<EncodedStyle>(),
    createdAt: time(),
  },
});
export type Style = InferEntity<typeof Style>;

/** An image that a client has uploaded for later requests. */
export const UploadedFile = defineEntity({
  name: 'UploadedFile',
  indexes: [
    { properties: ['org', 'environment', 'id'] },
    { properties: ['key', 'id'] },
    // For the limits of organizations.
    { name: 'uploaded_file_org_bytes_index', properties: ['org', 'environment'], include: ['bytes'] },
  ],
  properties: {
    id: p.text().primary(),
    org: () => p.manyToOne(Organization).mapToPk().deleteRule('cascade').index(),
    key: () => p.manyToOne(ApiKey).mapToPk().deleteRule('cascade'),
    environment: environment(),
    contentType: p.text().$type<ImageType>(),
    width: p.integer(),
    height: p.integer(),
    bytes: p.integer(),
    createdAt: time(),
    expiresAt: time(),
  },
});
export type UploadedFile = InferEntity<typeof UploadedFile>;
