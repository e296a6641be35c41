/** Selena variete: varies an image. */
import Type from 'typebox';
import { styleInWords } from '../../families/family.ts';
import { selena } from '../../families/selena.ts';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, type Stage, prepareInputs } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { enhance, enhancedPrompt } from '../../seer.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'selena-variete',
  domain: 'artworks-internal',
  summary: 'Create a variation of an image in the styles of selena.',
  description:
    'Creates an image of the same composition and size. `strength` sets how much it differs from the original. An ' +
    'image in a seamless style can be tiled. `promptMode` has no effect without a prompt.',
  example: { image: 'https://example.com/photo.jpg', prompt: 'in autumn light', style: 'watercolor' },
  request: requestBody({
    image: fields.image('The image to vary.'),
    prompt: Type.Optional(fields.prompt),
    promptMode: fields.promptMode,
    style: Type.Optional(
      Type.Enum(
        selena.styles.map(({ id }) => id),
        { description: 'A style of selena; see /v2/artworks/selena/styles.' },
      ),
    ),
    strength: Type.Number({
      minimum: 0,
      maximum: 1,
      default: 0.6,
      description: 'How much the result differs, from 0 (identical) to 1 (only the composition remains).',
    }),
    seed: fields.optionalSeed,
    ...fields.creationFields,
  }),
  listings: [],
  check: ({ outputFormat }, { image }) => refuseFormat(image, outputFormat),
  complete: (request, random) => ({ ...request, seed: request.seed ?? random() }),
  plan({ image, prompt, promptMode, style = null, strength, seed, nsfw, outputFormat }) {
    const enhanced = prompt !== undefined && promptMode === 'seer';
    const sent = enhanced ? enhancedPrompt : (prompt ?? null);
    const vary: Stage = {
      name: 'vary',
      calls: [
        {
          id: 'result',
          task: 'vary-image',
          model: 'selena-variete',
          summary: `selena-variete · strength ${strength}${style ? ` · ${style}` : ''}`,
          params: {
            image: imageOf('image'),
            prompt: sent,
            style,
            styleWords: styleInWords(selena, style),
            strength,
            seed,
            seamless: selena.styles.some(({ id, seamless }) => id === style && seamless),
            nsfw,
            outputFormat,
          },
        },
      ],
    };
    const inputs = prepareInputs({ image }, nsfw);
    const stages = enhanced ? [inputs, enhance(prompt, style, nsfw), vary] : [inputs, vary];
    return { prompt: sent, stages };
  },
});
