/** Face refiner: restores the detail of faces, with one model or all of them. */
import Type from 'typebox';
import { faceModels } from '../../face-models.ts';
import * as fields from '../../fields.ts';
import { modelList } from '../../listings.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, prepareInputs } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'face-refiner',
  domain: 'artworks-internal',
  summary: 'Restore the detail of faces, with one model or all of them.',
  description:
    'If you omit `model`, every model creates an image. The artwork succeeds if at least one model succeeds, and lists ' +
    'the others under `failures`. It fails with `face_not_found` if the image has no face.',
  example: { image: 'https://example.com/portrait.jpg' },
  request: requestBody({
    image: fields.image('An image with at least one face.'),
    model: Type.Optional(
      Type.Enum(
        faceModels.map(({ id }) => id),
        { description: 'The model to use; see /v2/artworks/face-refiner/models. Default: all models.' },
      ),
    ),
    ...fields.creationFields,
  }),
  listings: [
    {
      name: 'models',
      summary: 'The models of face-refiner.',
      schema: modelList,
      body: { family: 'face-refiner', default: null, models: faceModels },
    },
  ],
  check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
  complete: (request) => request,
  plan: ({ image, model, nsfw, outputFormat }) => ({
    prompt: null,
    stages: [
      prepareInputs({ image }, nsfw),
      {
        name: 'refine',
        need: 'any',
        calls: faceModels
          .filter(({ id }) => model === undefined || model === id)
          .map(({ id }) => ({
            id,
            task: 'refine-face',
            model: id,
            summary: `face-refiner · ${id}`,
            params: { image: imageOf('image'), nsfw, outputFormat },
          })),
      },
    ],
  }),
});
