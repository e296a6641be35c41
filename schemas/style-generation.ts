/** Makes the text-to-image operations of the style feature: pictures, and assets whose background can be left out. */
import Type from 'typebox';
import { selena } from './families/selena.ts';
import * as fields from './fields.ts';
import { imageOf, type ImageRequest } from './image-operation.ts';
import { defineOperation, type Operation } from './operation.ts';
import type { Call, Stage } from './plan.ts';
import { notWith, requestBody } from './request.ts';
import { sizeFields, sizeOf, sizeRules, sizesTogether, type Sized } from './size-fields.ts';

interface Request extends ImageRequest, Sized {
  styleDnaId: string;
  prompt: string;
  backgroundMode?: 'opaque' | 'transparent';
  seed?: number;
}

type Input = Request & { seed: number };

interface Options {
  name: string;
  summary: string;
  description: string;
  /** Whether it takes `backgroundMode`. */
  asset?: boolean;
}

const noJpeg = notWith(
  ['outputFormat', 'jpeg'],
  ['backgroundMode', 'transparent'],
  'cannot be jpeg with a transparent background. Use png or webp.',
);

export function generation({ name, summary, description, asset = false }: Options): Operation {
  return defineOperation<Request, Input>({
    name,
    domain: 'style-dna',
    summary,
    description,
    example: { styleDnaId: fields.exampleStyle, prompt: 'a red fox in a forest' },
    request: requestBody(
      {
        styleDnaId: fields.styleDnaId,
        prompt: fields.prompt,
        ...(asset && {
          backgroundMode: Type.Enum(['opaque', 'transparent'], {
            default: 'opaque',
            description: '`transparent` removes the background; not with the output format jpeg.',
          }),
        }),
        ...sizeFields(selena),
        seed: fields.optionalSeed,
        ...fields.creationFields,
      },
      asset ? [...sizeRules, noJpeg] : sizeRules,
      sizesTogether,
    ),
    listings: [],
    complete: (request, random) => ({
      ...request,
      ...(request.width === undefined && { aspectRatio: request.aspectRatio ?? selena.defaultAspectRatio }),
      seed: request.seed ?? random(),
    }),
    plan(input, styleDna) {
      const { prompt, seed, nsfw, outputFormat, backgroundMode } = input;
      const { width, height } = sizeOf(selena, input);
      const transparent = backgroundMode === 'transparent';
      const params = { prompt, negativePrompt: null, style: null, width, height, seed, styleDna, nsfw };
      const draw: Call = {
        id: 'draw',
        task: 'text-to-image',
        model: 'style-dna',
        summary: `${name} · ${width}×${height}`,
        // What the background is removed from is no result.
        ...(transparent && { role: 'input' }),
        params: {
          ...params,
          transparentBackground: transparent,
          ...(transparent && { backgroundMayStay: true }),
          seamless: false,
          outputFormat: transparent ? 'png' : outputFormat,
        },
      };
      const cutOut: Call = {
        id: 'result',
        task: 'remove-background',
        model: 'remove-background',
        summary: 'remove the background',
        params: { image: imageOf('draw'), nsfw, outputFormat },
      };
      const stages: Stage[] = [{ name: 'generate', calls: [draw] }];
      if (transparent) stages.push({ name: 'remove-background', calls: [cutOut] });
      return { prompt, stages };
    },
  });
}
