/** Face swap: puts the face of one image on another. */
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, planOnImages } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'face-swap',
  domain: 'artworks-internal',
  summary: 'Put the face of one image on another.',
  description:
    'Uses the largest face of each image. The artwork fails with `face_not_found` if one of them has no face.',
  example: { sourceImage: 'https://example.com/me.jpg', targetImage: 'https://example.com/portrait.jpg' },
  request: requestBody({
    sourceImage: fields.image('The image that provides the face.'),
    targetImage: fields.image('The image whose face is replaced.'),
    ...fields.creationFields,
  }),
  listings: [],
  check: ({ outputFormat }, { targetImage }) => refuseFormat(targetImage, outputFormat),
  complete: (request) => request,
  plan: ({ sourceImage, targetImage, nsfw, outputFormat }) =>
    planOnImages({ sourceImage, targetImage }, nsfw, {
      id: 'result',
      task: 'swap-face',
      model: 'face-swap',
      summary: 'face-swap',
      params: { source: imageOf('sourceImage'), target: imageOf('targetImage'), nsfw, outputFormat },
    }),
});
