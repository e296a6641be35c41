/**
 * A minimal operation: `POST /v2/artworks/stamp` draws a small square picture. To add an operation, copy this file to
 * `schemas/operations/artworks/` and change it; CONTRIBUTING.md explains each part.
 */
import Type from 'typebox';
import * as fields from '../../fields.ts';
import { styleList } from '../../listings.ts';
import { defineOperation } from '../../operation.ts';
import { requestBody } from '../../request.ts';

const styles = [
  { id: 'airmail', name: 'Airmail', description: 'Red and blue.', seamless: false, operations: ['stamp'] },
];

export const operation = defineOperation({
  name: 'stamp',
  domain: 'artworks-internal',
  summary: 'Text to image, as a stamp.',
  description: 'A small square picture.',
  example: { prompt: 'a fox' },
  request: requestBody({
    prompt: fields.prompt,
    style: Type.Enum(['airmail'], { default: 'airmail' }),
    ...fields.creationFields,
  }),
  listings: [{ name: 'styles', summary: 'The styles of stamp.', schema: styleList, body: { family: 'stamp', styles } }],
  complete: (request, random) => ({ ...request, seed: random() }),
  plan: ({ prompt, seed, nsfw, outputFormat }) => ({
    prompt,
    stages: [
      {
        name: 'generate',
        calls: [
          {
            id: 'image-1',
            task: 'text-to-image',
            model: 'selena',
            summary: 'stamp',
            params: {
              prompt,
              negativePrompt: null,
              style: 'watercolor',
              width: 256,
              height: 256,
              seed,
              transparentBackground: false,
              seamless: false,
              nsfw,
              outputFormat,
            },
          },
        ],
      },
    ],
  }),
});
