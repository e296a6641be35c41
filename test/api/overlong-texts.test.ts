/** Texts that are longer than their field allows are shortened before the validator counts their characters. */
import { expect, test } from '@jest/globals';
import { operation as anchor } from '../../schemas/operations/style-dna/generate-anchor.ts';
import { operation as segmentation } from '../../schemas/operations/artworks/segmentation.ts';
import { createApiKey } from '../../schemas/organization.ts';
import { createValidator } from '../../services/validate.ts';
import { rules } from '../support/problem.ts';

const validator = createValidator({ allowedHosts: [], webhookProtocols: ['https:'] });
const megabytes = 29 * 1024 * 1024;
const long = (character: string) => character.repeat(megabytes / character.length);
const image = 'https://example.com/photo.jpg';
const key = { label: 'a', scope: 'manager', domains: ['studio'] };

const cases: [
  name: string,
  schema: Parameters<typeof validator.compile>[0],
  body: Record<string, unknown>,
  found: string[],
][] = [
  ['a prompt', anchor.request, { name: 'a', prompt: long('a') }, ['/prompt maxLength']],
  ['a prompt of emoji', anchor.request, { name: 'a', prompt: long('🦊') }, ['/prompt maxLength']],
  ['a prompt of white space', anchor.request, { name: 'a', prompt: `${long(' ')}a` }, ['/prompt maxLength']],
  ['a prompt with NUL', anchor.request, { name: 'a', prompt: `${long('a')}\0` }, ['/prompt maxLength', '/prompt text']],
  ['text in a list', segmentation.request, { image, prompts: ['a', long('a')] }, ['/prompts/1 maxLength']],
  ['metadata', anchor.request, { name: 'a', prompt: 'a', metadata: { a: long('a') } }, ['/metadata/a maxLength']],
  [
    'a webhookUrl',
    anchor.request,
    { name: 'a', prompt: 'a', webhookUrl: `https://a${long('.')}b/` },
    ['/webhookUrl maxLength'],
  ],
  ['a label', createApiKey, { ...key, label: long('a') }, ['/label maxLength']],
  ['two fields', anchor.request, { name: long('a'), prompt: long('a') }, ['/name maxLength', '/prompt maxLength']],
];
test.each(cases)('reports the length of %s, and no longer keeps the text', (_name, schema, body, found) => {
  const { prompt } = body;
  const failures = validator.compile(schema)(body);
  expect(rules(failures)).toEqual(found);
  for (const { rule, message } of failures) {
    if (rule === 'maxLength') expect(message).toMatch(/^must have at most \d+ characters$/);
  }
  expect(JSON.stringify(body).length).toBeLessThan(10_000);
  if (found.length === 1 && found[0] === '/prompt maxLength') expect(body['prompt']).not.toBe(prompt);
});

test('keeps texts of up to twice the limit, which may be valid', () => {
  const body: Record<string, unknown> = { name: 'a', prompt: '🦊'.repeat(4000), metadata: { ['__proto__']: 'b' } };
  const sent = structuredClone(body);
  expect(validator.compile(anchor.request)(body)).toEqual([]);
  expect(body).toMatchObject(sent);
  const tooLong = { name: 'a', prompt: ' '.repeat(4001) };
  expect(rules(validator.compile(anchor.request)(tooLong))).toEqual(['/prompt maxLength', '/prompt pattern']);
});

test('keeps an image of many megabytes', () => {
  const data = `data:image/png;base64,${long('A')}`;
  const body = { image: data, prompts: ['cat'] };
  expect(validator.compile(segmentation.request)(body)).toEqual([]);
  expect(body.image.length).toBe(data.length);
});
