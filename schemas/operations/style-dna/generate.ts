/** Style-dna generate: creates images in an encoded style. */
import { defineOperation } from '../../operation.ts';
import { completeGeneration, exampleGeneration, pictureRequest, planGeneration } from '../../style-generation.ts';

const name = 'style-dna/generate';

export const operation = defineOperation({
  name,
  domain: 'style-dna',
  summary: 'Create an image in an encoded style.',
  description:
    'Images with the same `styleDnaId` share the palette, light and texture of the style, whatever their prompts.',
  example: exampleGeneration,
  request: pictureRequest,
  listings: [],
  complete: (request, random) => completeGeneration(request, random),
  plan: (input, style) => planGeneration(name, input, style),
});
