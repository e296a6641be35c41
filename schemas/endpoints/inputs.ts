/** Endpoints of encoded styles and uploaded files, which requests name by id. */
import { listOf, pageQuery } from '../page.ts';
import { style } from '../style-dna.ts';
import { uploadedFile } from '../uploaded-file.ts';
import type { Endpoint } from '../endpoint.ts';

const fileAccess = { scope: 'generator', domains: ['artworks-internal', 'style-dna'] } as const;

export const inputs = {
  listStyles: {
    method: 'GET',
    path: '/v2/style-dna',
    tag: 'Style DNA',
    summary: 'List encoded styles, newest first.',
    description: 'Styles belong to the organization: the list contains all styles of the environment of your key.',
    access: { scope: 'generator', domains: ['style-dna'] },
    uses: { kind: 'style', use: 'read' },
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
    uses: { kind: 'style', use: 'read' },
    responses: { 200: { description: 'The style.', schema: style } },
    errors: ['not_found'],
  },
  deleteStyle: {
    method: 'DELETE',
    path: '/v2/style-dna/:id',
    tag: 'Style DNA',
    summary: 'Delete an encoded style. Artworks that are already accepted still use it.',
    description: 'Only the key that created the style, and manager and admin keys, can do this.',
    access: { scope: 'generator', domains: ['style-dna'] },
    uses: { kind: 'style', use: 'change' },
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
    access: fileAccess,
    takesFile: true,
    responses: { 201: { description: 'The file. It is kept for eight days.', schema: uploadedFile } },
    errors: ['validation_failed', 'payload_too_large', 'unsupported_media_type'],
  },
  listFiles: {
    method: 'GET',
    path: '/v2/files',
    tag: 'Files',
    summary: 'List uploaded files, newest first.',
    description:
      'A generator key lists the files that it uploaded. Manager and admin keys list all files of their organization. ' +
      'The list contains files of the environment of your key.',
    access: fileAccess,
    uses: { kind: 'file', use: 'read' },
    query: pageQuery,
    responses: { 200: { description: 'A page of files.', schema: listOf(uploadedFile) } },
    errors: ['validation_failed'],
  },
  readFile: {
    method: 'GET',
    path: '/v2/files/:id',
    tag: 'Files',
    summary: 'Read the type, size and expiry of an uploaded file.',
    access: fileAccess,
    uses: { kind: 'file', use: 'read' },
    responses: { 200: { description: 'The file.', schema: uploadedFile } },
    errors: ['not_found'],
  },
  deleteFile: {
    method: 'DELETE',
    path: '/v2/files/:id',
    tag: 'Files',
    summary: 'Delete an uploaded file.',
    description:
      'Only the key that uploaded the file and admin keys can do this. Accepted artworks that have not read the file yet ' +
      'fail with `input_unreachable`.',
    access: fileAccess,
    uses: { kind: 'file', use: 'change' },
    responses: { 204: { description: 'The file is deleted.' } },
    errors: ['not_found'],
  },
} as const satisfies Record<string, Endpoint>;
