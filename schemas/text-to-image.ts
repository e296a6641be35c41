/** Builds the text-to-image operation of a model family: its request, listings and plan. */
import Type, { type Static } from 'typebox';
import { type Family, styleInWords } from './families/family.ts';
import * as fields from './fields.ts';
import { aspectRatioList, styleList } from './listings.ts';
import { defineOperation } from './operation.ts';
import type { Plan, Stage } from './plan.ts';
import { notWith, requestBody } from './request.ts';
import { enhance, enhancedPrompt } from './seer.ts';
import { sizeFields, sizeOf, sizeRules, sizesTogether } from './size-fields.ts';

interface Options {
  summary: string;
  description: string;
  example: Record<string, unknown>;
  /** Whether the family supports a transparent background. */
  transparentBackground?: boolean;
}

export function textToImage(family: Family, options: Options) {
  return defineOperation({
    name: family.family,
    domain: 'artworks-internal',
    summary: options.summary,
    description: options.description,
    example: options.example,
    request: options.transparentBackground ? transparentRequest(family) : opaqueRequest(family),
    listings: listings(family),
    complete: (request, random): Input => ({
      ...request,
      ...(request.width === undefined && { aspectRatio: request.aspectRatio ?? family.defaultAspectRatio }),
      seed: request.seed ?? random(),
    }),
    plan: (input) => planOf(family, input),
  });
}

const picture = (family: Family) => ({
  prompt: fields.prompt,
  negativePrompt: Type.Optional(fields.negativePrompt),
  promptMode: fields.promptMode,
  style: Type.Optional(
    Type.Enum(
      family.styles.map((style) => style.id),
      { description: `A style of the family; see /v2/artworks/${family.family}/styles.` },
    ),
  ),
  ...sizeFields(family),
  seed: fields.optionalSeed,
  numImages: fields.numImages,
});

const transparentBackground = Type.Boolean({
  default: false,
  description: 'Whether the background is transparent. Cannot be combined with the output format jpeg.',
});

const noJpeg = notWith(
  ['outputFormat', 'jpeg'],
  ['transparentBackground', true],
  'cannot be jpeg with a transparent background. Use png or webp.',
);

const opaqueRequest = (family: Family) =>
  requestBody({ ...picture(family), ...fields.creationFields }, sizeRules, sizesTogether);

const transparentRequest = (family: Family) =>
  requestBody(
    { ...picture(family), transparentBackground, ...fields.creationFields },
    [...sizeRules, noJpeg],
    sizesTogether,
  );

type Input = Static<ReturnType<typeof opaqueRequest>> & { seed: number; transparentBackground?: boolean };

function listings(family: Family) {
  const operations = [family.family, ...(family.variations ?? [])];
  const styles = family.styles.map((style) => ({ ...style, operations }));
  return [
    {
      name: 'styles',
      summary: `The styles of ${family.family}.`,
      schema: styleList,
      body: { family: family.family, styles },
    },
    {
      name: 'aspect-ratios',
      summary: `The aspect ratios of ${family.family}.`,
      schema: aspectRatioList,
      body: { family: family.family, default: family.defaultAspectRatio, aspectRatios: family.aspectRatios },
    },
  ];
}

function planOf(family: Family, input: Input): Plan {
  const style = input.style ?? null;
  const enhanced = input.promptMode === 'seer';
  const prompt = enhanced ? enhancedPrompt : input.prompt;
  const size = sizeOf(family, input);
  const generate: Stage = {
    name: 'generate',
    calls: Array.from({ length: input.numImages }, (_, index) => ({
      id: `image-${index + 1}`,
      task: 'text-to-image',
      model: family.family,
      summary: `${family.family} · ${size.width}×${size.height}${style ? ` · ${style}` : ''}`,
      params: {
        prompt,
        negativePrompt: input.negativePrompt ?? null,
        style,
        styleWords: styleInWords(family, style),
        ...size,
        seed: (input.seed + index) % 2 ** 32,
        transparentBackground: input.transparentBackground ?? false,
        seamless: family.styles.some(({ id, seamless }) => id === style && seamless),
        nsfw: input.nsfw,
        outputFormat: input.outputFormat,
      },
    })),
  };
  return { prompt, stages: enhanced ? [enhance(input.prompt, style, input.nsfw), generate] : [generate] };
}
