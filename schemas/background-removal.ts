/** Makes the operation that removes the background of an image, for whichever domain. */
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
    summary: 'Background removal: the subject with a transparent background.',
    description: 'The result has the size of the input, soft edges, and is a PNG or WebP: JPEG has no transparency.',
    example: { image: 'https://example.com/photo.jpg' },
    request: requestBody({ image: fields.image('What to cut out.'), ...fields.creationFields }, [alphaFormat]),
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
