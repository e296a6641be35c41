/** Makes the edits of the style feature: by instruction, and if asked for in an encoded style. */
import * as fields from './fields.ts';
import { imageOf, type ImageRequest } from './image-operation.ts';
import { defineOperation, type Operation } from './operation.ts';
import { takeIn } from './plan.ts';
import { requestBody } from './request.ts';
import { refuseFormat } from './sizes.ts';

interface Request extends ImageRequest {
  image: string;
  instruction: string;
  styleDnaId?: string;
  seed?: number;
}

interface Options {
  name: string;
  summary: string;
  description: string;
  /** Whether it takes an encoded style. */
  styled?: boolean;
}

export function styleEdit({ name, summary, description, styled = false }: Options): Operation {
  return defineOperation<Request, Request & { seed: number }>({
    name,
    domain: 'style-dna',
    summary,
    description,
    example: {
      image: 'https://example.com/photo.jpg',
      instruction: 'blur the background',
      ...(styled && { styleDnaId: fields.exampleStyle }),
    },
    request: requestBody({
      image: fields.image('What to edit.'),
      instruction: fields.instruction,
      ...(styled && { styleDnaId: fields.styleDnaId }),
      seed: fields.optionalSeed,
      ...fields.creationFields,
    }),
    listings: [],
    check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
    complete: (request, random) => ({ ...request, seed: request.seed ?? random() }),
    plan({ image, instruction, seed, nsfw, outputFormat }, styleDna) {
      const params = { image: imageOf('image'), instruction, mask: null, aspectRatio: null, seed, styleDna };
      const call = { id: 'result', task: 'edit-image', model: 'photo-pilot', summary: name } as const;
      const edit = { name: 'edit', calls: [{ ...call, params: { ...params, nsfw, outputFormat } }] };
      return { prompt: null, stages: [takeIn({ image }, nsfw), edit] };
    },
  });
}
