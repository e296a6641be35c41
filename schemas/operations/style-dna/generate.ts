/** Style-dna generate: pictures in an encoded style. */
import { defineOperation } from '../../operation.ts';
import { completeGeneration, exampleGeneration, pictureRequest, planGeneration } from '../../style-generation.ts';

const name = 'style-dna/generate';

export const operation = defineOperation({
  name,
  domain: 'style-dna',
  summary: 'Text-to-image in an encoded style.',
  description:
    'Different prompts under one `styleDnaId` look alike: palette, light and texture are those of the style.',
  example: exampleGeneration,
  request: pictureRequest,
  listings: [],
  complete: (request, random) => completeGeneration(request, random),
  plan: (input, style) => planGeneration(name, input, style),
});
