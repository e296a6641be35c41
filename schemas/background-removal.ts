/** Builds the operation that removes the background of an image, for any domain. */
import type { Domain } from './access.ts';
import * as fields from './fields.ts';
import { defineOperation } from './operation.ts';
import { imageOf, planOnImages } from './plan.ts';
import { requestBody } from './request.ts';
import { refuseFormat } from './sizes.ts';
import { alphaFormat } from './transparency.ts';

export function backgroundRemoval(name: string, domain: Domain) {
  return defineOperation({
    name,
    domain,
    summary: 'Remove the background of an image.',
    description:
      'Returns the subject with soft edges on a transparent background, in the size of the input image. The output format is PNG or WebP, because JPEG has no transparency.',
    example: { image: 'https://example.com/photo.jpg' },
    request: requestBody({ image: fields.image('The image whose background to remove.'), ...fields.creationFields }, [
      alphaFormat,
    ]),
    listings: [],
    check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
    complete: (request) => request,
    plan: ({ image, nsfw, outputFormat }) =>
      planOnImages({ image }, nsfw, {
        id: 'result',
        task: 'remove-background',
        model: 'remove-background',
        summary: name,
        params: { image: imageOf('image'), nsfw, outputFormat },
      }),
  });
}
