/** Every field of a task is classified: unclassified ones do not compile, and unknown ones are refused. */
import { expect, test } from '@jest/globals';
import { type FieldRules, fieldRules } from '../../../engines/upstream/fields.ts';
import { imageTasks } from '../../../engines/upstream/image-tasks.ts';
import { compileMapping } from '../../../engines/upstream/mapping.ts';
import type { DefaultMapping } from '../../../engines/upstream/provider.ts';
import type { TextToImage, Upscale } from '../../../schemas/tasks.ts';

interface Sharper extends TextToImage {
  sharpness?: number;
}

test('a task that gains a field does not compile until the field is classified', () => {
  // @ts-expect-error "sharpness" has no rule
  const incomplete: FieldRules<Sharper> = fieldRules['text-to-image'];
  const complete: FieldRules<TextToImage> = fieldRules['text-to-image'];
  const upscale: FieldRules<Upscale> = fieldRules.upscale;
  expect(incomplete).toBe(complete);
  expect(Object.keys(upscale).sort()).toEqual(['image', 'nsfw', 'outputFormat', 'scale']);
});

test('a default mapping compiles only with fields that the task has', () => {
  const mapping: DefaultMapping = {
    'text-to-image': { prompt: { from: 'styledPrompt' }, options: { seeds: [{ from: 'seed' }], steps: 4 } },
    // @ts-expect-error a prompt has no mask
    'vary-image': { image: { from: 'image' }, nested: { mask: { from: 'mask' } } },
    // @ts-expect-error an encoded style can be used only in words
    'edit-image': { style: { from: 'styleDna' } },
  };
  expect(() => compileMapping('vary-image', mapping['vary-image'] ?? {})).toThrow('unknown field "mask"');
  expect(() => compileMapping('edit-image', mapping['edit-image'] ?? {})).toThrow('unknown field "styleDna"');
});

test.each(imageTasks)('%s refuses a field that it does not know', (task) => {
  const template = Object.fromEntries(
    Object.entries(fieldRules[task]).flatMap(([field, { kind }]) =>
      kind === 'required' || field === 'prompt' ? [[field, { from: field }]] : [],
    ),
  );
  const mapping = compileMapping(task, template);
  expect(mapping.refuses({ sharpness: 0 })).toEqual(['sharpness']);
  expect(mapping.refuses({ sharpness: null, constructor: 1 })).toEqual(['sharpness', 'constructor']);
  expect(mapping.refuses({ sharpness: undefined, nsfw: true, outputFormat: 'png' })).toEqual([]);
});
