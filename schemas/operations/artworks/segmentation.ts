/** Segmentation: masks of objects that nouns or points describe. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { type Call, imageOf, prepareInputs, unchecked } from '../../plan.ts';
import { atLeastOne, exclusive, requestBody } from '../../request.ts';
import { refuseFormat } from '../../sizes.ts';
import type { Point } from '../../tasks.ts';

const point = Type.Object(
  {
    x: Type.Integer({ minimum: 0, description: 'Pixels from the left edge of the upright image.' }),
    y: Type.Integer({ minimum: 0, description: 'Pixels from the top edge of the upright image.' }),
    label: Type.Enum([0, 1], { description: '1 for a point on the object, 0 for a point beside it.' }),
  },
  { additionalProperties: false },
);

const onObject = {
  type: 'array',
  contains: { type: 'object', properties: { label: { const: 1 } } },
  'x-rule': { path: '', rule: 'contains', message: 'must contain at least one point on the object (label 1)' },
};

export const operation = defineOperation({
  name: 'segmentation',
  domain: 'artworks-internal',
  summary: 'Create masks of the objects in an image.',
  description:
    'A mask is white on the object. `prompts` create one mask each; the artwork lists the prompts that match nothing ' +
    'under `failures`, and fails if no prompt matches. `points` create one mask of the object that they describe.',
  example: { image: 'https://example.com/photo.jpg', prompts: ['cat', 'background'] },
  request: requestBody(
    {
      image: fields.image('The image to segment.'),
      prompts: Type.Optional(
        Type.Array(fields.words(100), {
          minItems: 1,
          maxItems: 8,
          description: 'Nouns, each of which creates a mask.',
          examples: [['cat', 'background']],
        }),
      ),
      points: Type.Optional(
        Type.Array(point, {
          minItems: 1,
          maxItems: 64,
          allOf: [onObject],
          description: 'Points that describe one object: at least one on it (label 1), and any beside it (label 0).',
        }),
      ),
      ...fields.creationFields,
    },
    [exclusive('prompts', 'points'), atLeastOne('prompts', 'points')],
  ),
  listings: [],
  check: ({ points = [], outputFormat }, { image }) => [
    ...refuseFormat(image, outputFormat),
    ...points.flatMap(({ x, y }, index) => {
      if (!image || (x < image.width && y < image.height)) return [];
      const message = `is outside the image, which has ${image.width}×${image.height} pixels`;
      return [{ path: `/points/${index}`, rule: 'size', message }];
    }),
  ],
  complete: (request) => request,
  plan({ image, prompts = [], points, nsfw, outputFormat }) {
    const mask = (id: string, summary: string, target: { prompt: string | null; points: Point[] | null }): Call => ({
      id,
      task: 'segment',
      model: 'segmentation',
      summary: `segmentation · ${summary}`,
      role: 'mask',
      params: { image: imageOf('image'), ...target, nsfw, outputFormat },
    });
    const calls = points
      ? [mask('mask', `${points.length} points`, { prompt: null, points })]
      : prompts.map((prompt, index) => mask(`mask-${index + 1}`, `prompt ${index + 1}`, { prompt, points: null }));
    return { prompt: null, stages: [prepareInputs({ image }, unchecked), { name: 'segment', need: 'any', calls }] };
  },
});
