/** Selena variete: variations of an image. */
import Type from 'typebox';
import { styleInWords } from '../../families/family.ts';
import { selena } from '../../families/selena.ts';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { imageOf, type Stage, takeIn } from '../../plan.ts';
import { requestBody } from '../../request.ts';
import { enhance, enhancedPrompt } from '../../seer.ts';
import { refuseFormat } from '../../sizes.ts';

export const operation = defineOperation({
  name: 'selena-variete',
  domain: 'artworks-internal',
  summary: 'Image-to-image variation in the styles of selena.',
  description:
    'A new picture of the same composition and size. `strength` says how far it may go from the image. The seamless ' +
    'styles make a tile of it. `promptMode` matters only with a prompt.',
  example: { image: 'https://example.com/photo.jpg', prompt: 'in autumn light', style: 'watercolor' },
  request: requestBody({
    image: fields.image('What to vary.'),
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
      description: '0 keeps the image, 1 keeps no more than its composition.',
    }),
    seed: Type.Optional(fields.seed),
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
    const inputs = takeIn({ image }, nsfw);
    const stages = enhanced ? [inputs, enhance(prompt, style, nsfw), vary] : [inputs, vary];
    return { prompt: sent, stages };
  },
});
