/** Depth map: the distance of every pixel. */
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages, unchecked } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'depth-map',
  domain: 'artworks-internal',
  summary: 'Estimate the depth of an image.',
  description: 'Returns an 8-bit grayscale image in the size of the input image. Near is white, far is black.',
  example: { image: 'https://example.com/photo.jpg' },
  request: requestBody({ image: fields.image('The image whose depth to estimate.'), ...fields.creationFields }),
  listings: [],
  check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
  complete: (request) => request,
  plan: ({ image, nsfw, outputFormat }) =>
    planOnImages({ image }, unchecked, {
      id: 'result',
      task: 'estimate-depth',
      model: 'depth-map',
      summary: 'depth-map',
      role: 'depth',
      params: { image: imageOf('image'), nsfw, outputFormat },
    }),
});
