/** Generate anchor: encodes a style from images or from a prompt. */
import Type, { type Static } from 'typebox';
import * as fields from '../../fields.ts';
import { defineOperation } from '../../operation.ts';
import { type Call, type Stage, prepareInputs } from '../../plan.ts';
import { atLeastOne, exclusive, requestBody } from '../../request.ts';
import { styleWords } from '../../style-dna.ts';
import { writing } from '../../writing.ts';

const request = requestBody(
  {
    name: fields.words(100, { description: 'A name for the style.', examples: ['harbour at dusk'] }),
    images: Type.Optional(
      Type.Array(fields.image('An image in the style.'), {
        minItems: 1,
        maxItems: 4,
        description: 'Images that share the style.',
      }),
    ),
    prompt: Type.Optional(fields.prompt),
    seed: fields.optionalSeed,
    ...fields.creationFields,
  },
  [exclusive('images', 'prompt'), atLeastOne('images', 'prompt')],
);
type Input = Static<typeof request> & { seed: number };

const side = 1024;

/** Returns the first stage, which draws the prompt or prepares the images, and the calls whose images are measured. */
function anchors({ images, prompt = '', seed, nsfw, outputFormat }: Input): { stage: Stage; ids: string[] } {
  if (images) {
    const stage = prepareInputs(Object.fromEntries(images.map((source, index) => [`images/${index}`, source])), nsfw);
    return { stage, ids: stage.calls.map(({ id }) => id) };
  }
  const params = { prompt, negativePrompt: null, style: null, width: side, height: side, seed };
  const call: Call = {
    id: 'anchor',
    task: 'text-to-image',
    model: 'style-dna',
    summary: 'draw the anchor',
    role: 'anchor',
    params: { ...params, transparentBackground: false, seamless: false, styleDna: null, nsfw, outputFormat },
  };
  return { stage: { name: 'anchor', calls: [call] }, ids: ['anchor'] };
}

export const operation = defineOperation({
  name: 'style-dna/generate-anchor',
  domain: 'style-dna',
  summary: 'Encode a style from one to four images or from a prompt.',
  description:
    'The `styleDnaId` of the artwork identifies the encoded style: its palette, light, colour and texture as measured ' +
    'on the pixels, and a description in words. Deleting the artwork does not delete the style.',
  example: { name: 'harbour at dusk', prompt: 'muted blue dusk, soft watercolor, little contrast' },
  request,
  listings: [],
  complete: (request, random) => ({ ...request, seed: request.seed ?? random() }),
  plan(input) {
    const { name, images, prompt = null, nsfw } = input;
    const { stage, ids } = anchors(input);
    const measure: Call = {
      id: 'measure',
      task: 'measure-style',
      model: 'style-measure',
      summary: `measure ${ids.length === 1 ? 'an image' : `${ids.length} images`}`,
      params: { images: { $imagesOf: ids }, nsfw },
    };
    const words = writing('describe-style', { measured: '', prompt }, { format: { schema: styleWords }, nsfw });
    const describe: Call = {
      id: 'describe',
      task: 'write',
      model: 'stylist',
      summary: 'find words for the style',
      params: { ...words, facts: { prompt, measured: { $textOf: 'measure' }, images: { $imagesOf: ids } } },
    };
    return {
      prompt,
      stages: [stage, { name: 'measure', calls: [measure] }, { name: 'describe', calls: [describe] }],
      encodes: { name, source: images ? 'images' : 'prompt', measure: 'measure', words: 'describe' },
    };
  },
});
