/** Face refiner: portraits with cleaner detail, by one model or by all. */
import Type from 'typebox';
import { faceModels } from '../../face-models.ts';
import * as fields from '../../fields.ts';
import { modelList } from '../../listings.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, takeIn } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'face-refiner',
  domain: 'artworks-internal',
  summary: 'Portrait detail cleanup, by one model or by all of them.',
  description:
    'Without `model` every model makes an image. The artwork succeeds when at least one did, and lists the others ' +
    'under `failures`. Without a face it fails with face_not_found.',
  example: { image: 'https://example.com/portrait.jpg' },
  request: requestBody({
    image: fields.image('A picture with at least one face.'),
    model: Type.Optional(
      Type.Enum(
        faceModels.map(({ id }) => id),
        { description: 'One model only; all of them when absent. See /v2/artworks/face-refiner/models.' },
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
      takeIn({ image }, nsfw),
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
