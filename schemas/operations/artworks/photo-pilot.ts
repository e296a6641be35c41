/** Photo pilot: edits an image as an instruction says. */
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
  summary: 'Edit an image with an instruction.',
  description:
    'Changes the image as the instruction says. A mask limits the change to its white parts. The artwork fails with ' +
    '`input_invalid` if the model cannot follow the instruction; the error message then says what it can do.',
  example: { image: 'https://example.com/photo.jpg', instruction: 'make it warmer and blur the background' },
  request: requestBody({
    image: fields.image('The image to edit.'),
    instruction: fields.instruction,
    mask: Type.Optional(
      fields.image('A mask that is white where the image may change and black elsewhere. It is scaled to the image.'),
    ),
    aspectRatio: Type.Optional(
      Type.Enum(
        ratios.map(({ id }) => id),
        {
          description:
            "The aspect ratio of the result; see /v2/artworks/photo-pilot/aspect-ratios. Default: the image's own.",
        },
      ),
    ),
    seed: fields.optionalSeed,
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
