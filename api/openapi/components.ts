/** The named schemas of the OpenAPI document. Generated clients have types with these names. */
import type { TSchema } from 'typebox';
import { accepted, artwork, artworkEvent } from '../../schemas/artwork.ts';
import { auditEntry } from '../../schemas/audit.ts';
import { dryRun } from '../../schemas/creation.ts';
import { delivery } from '../../schemas/delivery.ts';
import { aspectRatioList, modelList, styleList } from '../../schemas/listings.ts';
import { apiKey, newApiKey, organization, rotatedSecret } from '../../schemas/organization.ts';
import { style } from '../../schemas/style-dna.ts';
import { uploadedFile } from '../../schemas/uploaded-file.ts';
import { usage } from '../../schemas/usage.ts';

const named: Readonly<Record<string, TSchema>> = {
  Accepted: accepted,
  Artwork: artwork,
  ArtworkEvent: artworkEvent,
  AspectRatios: aspectRatioList,
  AuditEntry: auditEntry,
  Delivery: delivery,
  DryRun: dryRun,
  EncodedStyle: style,
  Key: apiKey,
  Models: modelList,
  NewKey: newApiKey,
  Organization: organization,
  RotatedSecret: rotatedSecret,
  Styles: styleList,
  UploadedFile: uploadedFile,
  Usage: usage,
};

const names = new Map(Object.entries(named).map(([name, schema]) => [schema, name]));

/** Returns a schema for the document: without our own keywords, and with references to named schemas. */
export function plain(schema: TSchema): unknown {
  const name = names.get(schema);
  return name === undefined ? copy(schema) : { $ref: `#/components/schemas/${name}` };
}

/** Returns the named schemas, to which the references point. */
export const components = (): Record<string, unknown> =>
  Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, copy(schema)]));

function copy(schema: TSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: TSchema) => {
      if (key === 'x-rule') return undefined;
      return value !== schema && names.has(value) ? plain(value) : value;
    }),
  );
}
