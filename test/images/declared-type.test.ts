/** The declared type of a file is compared with its bytes. */
import { expect, test } from '@jest/globals';
import { findContradiction } from '../../images/declared-type.ts';
import { drawn } from '../support/pictures.ts';

test.each([
  [null],
  [''],
  ['image/png'],
  ['IMAGE/PNG; charset=binary'],
  ['image/x-png'],
  ['image/*'],
  ['application/octet-stream'],
  ['binary/octet-stream'],
  ['application/x-www-form-urlencoded'],
  ['text/plain'],
])('a PNG may be declared as %s', async (declared) => {
  expect(findContradiction(declared, await drawn(64, 64).png().toBuffer())).toBeNull();
});

test.each([
  'image/jpeg',
  'image/svg+xml',
  'text/html; charset=utf-8',
  'application/json',
  'application/problem+json',
  'application/pdf',
  'video/mp4',
])('a PNG may not be declared as %s', async (declared) => {
  const [declaredType] = declared.split(';');
  const file = await drawn(64, 64).png().toBuffer();
  expect(findContradiction(declared, file)).toEqual({ declaredType, foundType: 'image/png' });
});

test('a JPEG may be declared as image/jpg, and the decoder refuses bytes that are no image', async () => {
  expect(findContradiction('image/jpg', await drawn(64, 64).jpeg().toBuffer())).toBeNull();
  expect(findContradiction('image/png', Buffer.from('<html>'))).toBeNull();
});
