/** The requests and the plan of the text-to-image operations of the domain style-dna: pictures, and assets with or without background. */
import Type, { type Static } from 'typebox';
import { selena } from './families/selena.ts';
import * as fields from './fields.ts';
import { type Call, imageOf, type Plan, type Stage } from './plan.ts';
import { notWith, requestBody } from './request.ts';
import { sizeFields, sizeOf, sizeRules, sizesTogether } from './size-fields.ts';
import type { EncodedStyle } from './style-dna.ts';

const styleAndPrompt = { styleDnaId: fields.styleDnaId, prompt: fields.prompt };
const sharedFields = { ...sizeFields(selena), seed: fields.optionalSeed, ...fields.creationFields };

const backgroundMode = Type.Enum(['opaque', 'transparent'], {
  default: 'opaque',
  description: '`transparent` removes the background. Cannot be combined with the output format jpeg.',
});

const noJpeg = notWith(
  ['outputFormat', 'jpeg'],
  ['backgroundMode', 'transparent'],
  'cannot be jpeg with a transparent background. Use png or webp.',
);

export const pictureRequest = requestBody({ ...styleAndPrompt, ...sharedFields }, sizeRules, sizesTogether);
export const assetRequest = requestBody(
  { ...styleAndPrompt, backgroundMode, ...sharedFields },
  [...sizeRules, noJpeg],
  sizesTogether,
);

type Picture = Static<typeof pictureRequest>;
type Input = Picture & { seed: number; backgroundMode?: Static<typeof backgroundMode> };

export const exampleGeneration = { styleDnaId: fields.exampleStyle, prompt: 'a red fox in a forest' };

/** Returns the request with a seed, and with an aspect ratio unless it names a size. */
export const completeGeneration = <Request extends Picture>(request: Request, random: () => number) => ({
  ...request,
  ...(request.width === undefined && { aspectRatio: request.aspectRatio ?? selena.defaultAspectRatio }),
  seed: request.seed ?? random(),
});

export function planGeneration(operation: string, input: Input, styleDna: EncodedStyle | null): Plan {
  const { prompt, seed, nsfw, outputFormat, backgroundMode } = input;
  const { width, height } = sizeOf(selena, input);
  const transparent = backgroundMode === 'transparent';
  const draw: Call = {
    id: 'draw',
    task: 'text-to-image',
    model: 'style-dna',
    summary: `${operation} · ${width}×${height}`,
    // The image that still has its background is not a result.
    ...(transparent && { role: 'input' }),
    params: {
      prompt,
      negativePrompt: null,
      style: null,
      width,
      height,
      seed,
      styleDna,
      transparentBackground: transparent,
      ...(transparent && { backgroundMayStay: true }),
      seamless: false,
      nsfw,
      outputFormat: transparent ? 'png' : outputFormat,
    },
  };
  const stages: Stage[] = [{ name: 'generate', calls: [draw] }];
  if (transparent) {
    const cutOut: Call = {
      id: 'result',
      task: 'remove-background',
      model: 'remove-background',
      summary: 'remove the background',
      params: { image: imageOf('draw'), nsfw, outputFormat },
    };
    stages.push({ name: 'remove-background', calls: [cutOut] });
  }
  return { prompt, stages };
}
