/** Builds the edit operations of the domain style-dna: by instruction, optionally in an encoded style. */
import * as fields from './fields.ts';
import { defineOperation } from './operation.ts';
import { imageOf, prepareInputs } from './plan.ts';
import { requestBody } from './request.ts';
import { refuseFormat } from './sizes.ts';

interface Options {
  name: string;
  summary: string;
  description: string;
  /** Whether the operation takes an encoded style. */
  styled?: boolean;
}

const editFields = { image: fields.image('The image to edit.'), instruction: fields.instruction };
const plainRequest = requestBody({ ...editFields, seed: fields.optionalSeed, ...fields.creationFields });
const styledRequest = requestBody({
  ...editFields,
  styleDnaId: fields.styleDnaId,
  seed: fields.optionalSeed,
  ...fields.creationFields,
});

export function styleEdit({ name, summary, description, styled = false }: Options) {
  return defineOperation({
    name,
    domain: 'style-dna',
    summary,
    description,
    example: {
      image: 'https://example.com/photo.jpg',
      instruction: 'blur the background',
      ...(styled && { styleDnaId: fields.exampleStyle }),
    },
    request: styled ? styledRequest : plainRequest,
    listings: [],
    check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
    complete: (request, random) => ({ ...request, seed: request.seed ?? random() }),
    plan: ({ image, instruction, seed, nsfw, outputFormat }, styleDna) => ({
      prompt: null,
      stages: [
        prepareInputs({ image }, nsfw),
        {
          name: 'edit',
          calls: [
            {
              id: 'result',
              task: 'edit-image',
              model: 'photo-pilot',
              summary: name,
              params: {
                image: imageOf('image'),
                instruction,
                mask: null,
                aspectRatio: null,
                seed,
                styleDna,
                nsfw,
                outputFormat,
              },
            },
          ],
        },
      ],
    }),
  });
}
