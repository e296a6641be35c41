/** The plan of generate-anchor: each input image keeps the name of its field in the request. */
import { expect, test } from '@jest/globals';
import { operation } from '../../schemas/operations/style-dna/generate-anchor.ts';

const request = { name: 'dusk', nsfw: false, metadata: {}, outputFormat: 'png' } as const;
const planOf = (fields: { images: string[] } | { prompt: string }) =>
  operation.plan(
    operation.complete({ ...request, ...fields }, () => 7),
    null,
  );

test('keeps the field names of images, and gives their calls ids that can name files', () => {
  const images = ['https://example.com/a.png', 'https://example.com/b.png'];
  const [inputs, measure, describe] = planOf({ images }).stages.map(({ calls }) => calls);
  expect(inputs?.map(({ params }) => params)).toEqual([
    { field: 'images/0', file: { $bytesOf: images[0] }, nsfw: false },
    { field: 'images/1', file: { $bytesOf: images[1] }, nsfw: false },
  ]);
  const ids = inputs?.map(({ id }) => id);
  expect(ids).toEqual(['images-0', 'images-1']);
  expect(measure?.[0]?.params).toMatchObject({ images: { $imagesOf: ids } });
  expect(describe?.[0]?.params).toMatchObject({ facts: { images: { $imagesOf: ids } } });
});

test('measures the image that is drawn from a prompt', () => {
  const [anchor, measure] = planOf({ prompt: 'muted dusk' }).stages.map(({ calls }) => calls);
  expect(anchor?.map(({ id, role }) => [id, role])).toEqual([['anchor', 'anchor']]);
  expect(measure?.[0]?.params).toMatchObject({ images: { $imagesOf: ['anchor'] } });
});
