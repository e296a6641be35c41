/** Photo pilot: edits by instruction. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { imageOf, imageOperation, type ImageRequest } from '../../image-operation.ts';
import { aspectRatioList } from '../../listings.ts';
import { ratios } from '../../ratios.ts';

interface Request extends ImageRequest {
  image: string;
  instruction: string;
  mask?: string;
  aspectRatio?: string;
  seed?: number;
}

export const operation = imageOperation<Request, 'edit-image'>({
  name: 'photo-pilot',
  summary: 'Photo editing by instruction.',
  description:
    'Says in words what to change. A mask limits the change to its white parts. An instruction that the model cannot ' +
    'follow fails with input_invalid, which says what it can.',
  example: { image: 'https://example.com/photo.jpg', instruction: 'make it warmer and blur the background' },
  properties: {
    image: fields.image('What to edit.'),
    instruction: fields.instruction,
    mask: Type.Optional(fields.image('White where the image may change, black where not; scaled to the image.')),
    aspectRatio: Type.Optional(
      Type.Enum(
        ratios.map(({ id }) => id),
        { description: "Of the result; the image's own when absent. See /v2/artworks/photo-pilot/aspect-ratios." },
      ),
    ),
    seed: Type.Optional(fields.seed),
  },
  listings: [
    {
      name: 'aspect-ratios',
      summary: 'The aspect ratios of photo-pilot.',
      schema: aspectRatioList,
      body: { family: 'photo-pilot', default: null, aspectRatios: ratios },
    },
  ],
  complete: (request, random) => ({ ...request, seed: request.seed ?? random() }),
  images: ['image', 'mask'],
  task: 'edit-image',
  detail: ({ aspectRatio }) => aspectRatio ?? '',
  params: ({ instruction, mask, aspectRatio, seed }) => ({
    image: imageOf('image'),
    instruction,
    mask: mask === undefined ? null : imageOf('mask'),
    aspectRatio: aspectRatio ?? null,
    seed,
    styleDna: null,
  }),
});
