/** Style-dna generate asset: a picture for a layout, with or without its background. */
import { defineOperation } from '../../operation.ts';
import { assetRequest, completeGeneration, exampleGeneration, planGeneration } from '../../style-generation.ts';

const name = 'style-dna/generate/asset';

export const operation = defineOperation({
  name,
  domain: 'style-dna',
  summary: 'An asset in an encoded style, with a transparent background if wanted.',
  description:
    'With `backgroundMode` `transparent` the background is removed in a second step of the same artwork. One webhook ' +
    'is sent, on the final result.',
  example: exampleGeneration,
  request: assetRequest,
  listings: [],
  complete: (request, random) => completeGeneration(request, random),
  plan: (input, style) => planGeneration(name, input, style),
});
