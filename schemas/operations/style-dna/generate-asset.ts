/** Style-dna generate asset: creates an image with or without a background. */
import { defineOperation } from '../../operation.ts';
import { assetRequest, completeGeneration, exampleGeneration, planGeneration } from '../../style-generation.ts';

const name = 'style-dna/generate/asset';

export const operation = defineOperation({
  name,
  domain: 'style-dna',
  summary: 'Create an asset in an encoded style, optionally with a transparent background.',
  description:
    'If `backgroundMode` is `transparent`, a second step of the same artwork removes the background. The webhook is ' +
    'sent once, for the final result.',
  example: exampleGeneration,
  request: assetRequest,
  listings: [],
  complete: (request, random) => completeGeneration(request, random),
  plan: (input, style) => planGeneration(name, input, style),
});
