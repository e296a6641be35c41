/** Encoded styles and uploaded files: what requests can name by an id. */
import { listOf, pageQuery } from '../page.ts';
import { style } from '../style-dna.ts';
import { uploadedFile } from '../uploaded-file.ts';
import type { Endpoint } from '../endpoint.ts';

export const inputs = {
  listStyles: {
    method: 'GET',
    path: '/v2/style-dna',
    tag: 'Style DNA',
    summary: 'Encoded styles, newest first.',
    description: 'A generator key finds what it encoded itself, manager and admin keys all of their organization.',
    access: { scope: 'generator', domains: ['style-dna'] },
    query: pageQuery,
    answers: { 200: { description: 'A page of styles.', schema: listOf(style) } },
    errors: ['validation_failed'],
  },
  readStyle: {
    method: 'GET',
    path: '/v2/style-dna/:id',
    tag: 'Style DNA',
    summary: 'Read an encoded style.',
    access: { scope: 'generator', domains: ['style-dna'] },
    answers: { 200: { description: 'The style.', schema: style } },
    errors: ['not_found'],
  },
  deleteStyle: {
    method: 'DELETE',
    path: '/v2/style-dna/:id',
    tag: 'Style DNA',
    summary: 'Remove an encoded style. Artworks that were asked for before are made all the same.',
    access: { scope: 'generator', domains: ['style-dna'] },
    answers: { 204: { description: 'It is gone.' } },
    errors: ['not_found'],
  },
  uploadFile: {
    method: 'POST',
    path: '/v2/files',
    tag: 'Files',
    summary: 'Upload an image that requests can name by its id.',
    description:
      'As the part `file` of a multipart form, or as the body itself. PNG, JPEG or WebP, told by its bytes; at most ' +
      '20 MB and 25 megapixels, each side at least 64 pixels. A generator key can name its own files only.',
    access: { scope: 'generator', domains: ['artworks-internal', 'style-dna'] },
    takesFile: true,
    answers: { 201: { description: 'The file, kept for eight days.', schema: uploadedFile } },
    errors: ['validation_failed', 'payload_too_large', 'unsupported_media_type'],
  },
} as const satisfies Record<string, Endpoint>;
