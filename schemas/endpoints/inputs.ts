/** Endpoints of encoded styles and uploaded files, which requests name by id. */
import { listOf, pageQuery } from '../page.ts';
import { style } from '../style-dna.ts';
import { uploadedFile } from '../uploaded-file.ts';
import type { Endpoint } from '../endpoint.ts';

export const inputs = {
  listStyles: {
    method: 'GET',
    path: '/v2/style-dna',
    tag: 'Style DNA',
    summary: 'List encoded styles, newest first.',
    description:
      'A generator key lists the styles that it encoded. Manager and admin keys list all styles of their organization.',
    access: { scope: 'generator', domains: ['style-dna'] },
    query: pageQuery,
    responses: { 200: { description: 'A page of styles.', schema: listOf(style) } },
    errors: ['validation_failed'],
  },
  readStyle: {
    method: 'GET',
    path: '/v2/style-dna/:id',
    tag: 'Style DNA',
    summary: 'Read an encoded style.',
    access: { scope: 'generator', domains: ['style-dna'] },
    responses: { 200: { description: 'The style.', schema: style } },
    errors: ['not_found'],
  },
  deleteStyle: {
    method: 'DELETE',
    path: '/v2/style-dna/:id',
    tag: 'Style DNA',
    summary: 'Delete an encoded style. Artworks that are already accepted still use it.',
    access: { scope: 'generator', domains: ['style-dna'] },
    responses: { 204: { description: 'The style is deleted.' } },
    errors: ['not_found'],
  },
  uploadFile: {
    method: 'POST',
    path: '/v2/files',
    tag: 'Files',
    summary: 'Upload an image that requests can name by id.',
    description:
      'Send the file as the part `file` of a multipart form, or as the body itself. It must be a PNG, JPEG or WebP, ' +
      'at most 20 MB and 25 megapixels, with at least 64 pixels on each side. A generator key can name only the ' +
      'files that it uploaded.',
    access: { scope: 'generator', domains: ['artworks-internal', 'style-dna'] },
    takesFile: true,
    responses: { 201: { description: 'The file. It is kept for eight days.', schema: uploadedFile } },
    errors: ['validation_failed', 'payload_too_large', 'unsupported_media_type'],
  },
} as const satisfies Record<string, Endpoint>;
