/** Photo pilot: edits by instruction. */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { aspectRatioList } from '../../listings.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages } from '../../plan.ts';
import { ratios } from '../../ratios.ts';
import { requestBody } from '../../request.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'photo-pilot',
  domain: 'artworks-internal',
  summary: 'Photo editing by instruction.',
  description:
    'Says in words what to change. A mask limits the change to its white parts. An instruction that the model cannot ' +
    'follow fails with input_invalid, which says what it can.',
  example: { image: 'https://example.com/photo.jpg', instruction: 'make it warmer and blur the background' },
  request: requestBody({
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
    ...fields.creationFields,
  }),
  listings: [
    {
      name: 'aspect-ratios',
      summary: 'The aspect ratios of photo-pilot.',
      schema: aspectRatioList,
      body: { family: 'photo-pilot', default: null, aspectRatios: ratios },
    },
  ],
  check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
  complete: (request, random) => ({ ...request, seed: request.seed ?? random() }),
  plan: ({ image, instruction, mask, aspectRatio, seed, nsfw, outputFormat }) =>
    planOnImages({ image, mask }, nsfw, {
      id: 'result',
      task: 'edit-image',
      model: 'photo-pilot',
      summary: aspectRatio ? `photo-pilot · ${aspectRatio}` : 'photo-pilot',
      params: {
        image: imageOf('image'),
        instruction,
        mask: mask === undefined ? null : imageOf('mask'),
        aspectRatio: aspectRatio ?? null,
        seed,
        styleDna: null,
        nsfw,
        outputFormat,
      },
    }),
});
