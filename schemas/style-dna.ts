/** An encoded style: measurements of images, and a description in words. Versioned, because it outlives the code that wrote it. */
import Type, { type Static } from 'typebox';
import { dateTime } from './fields.ts';

const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });

const swatch = Type.Object(
  {
    colour: Type.String({ pattern: '^#[0-9a-f]{6}$', description: 'The colour in sRGB.' }),
    share: share('Share of the area.'),
  },
  { additionalProperties: false },
);

/** Measurements of the pixels, each from 0 to 1. */
export const styleMeasure = Type.Object(
  {
    palette: Type.Array(swatch, { minItems: 1, maxItems: 8, description: 'The main colours, largest share first.' }),
    light: Type.Object(
      {
        brightness: share('Mean lightness (CIE L*/100).'),
        contrast: share('Spread of lightness: 0 is flat, 1 spans black to white.'),
        warmth: share('0 is cool, 0.5 neutral, 1 warm.'),
      },
      { additionalProperties: false },
    ),
    colour: Type.Object(
      { saturation: share('Mean chroma.'), variety: share('0 is a single hue, 1 all hues.') },
      { additionalProperties: false },
    ),
    texture: Type.Object(
      {
        grain: share('Fine structure: 0 is smooth, 1 rough.'),
        edges: share('Hard outlines: 0 is none, 1 everywhere.'),
        scale: share('Size of the strokes: 0 is fine, 1 broad.'),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);
export type StyleMeasure = Static<typeof styleMeasure>;

/** The description that a language model wrote. */
export const styleWords = Type.Object(
  {
    summary: Type.String({ minLength: 1, maxLength: 400, description: 'One sentence.' }),
    keywords: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { minItems: 1, maxItems: 12 }),
  },
  { additionalProperties: false },
);
export type StyleWords = Static<typeof styleWords>;

export const encodedStyle = Type.Object(
  {
    version: Type.Literal(1),
    /** The input of the encoding. */
    source: Type.Enum(['images', 'prompt']),
    measure: styleMeasure,
    words: styleWords,
  },
  { additionalProperties: false },
);
export type EncodedStyle = Static<typeof encodedStyle>;

/** An encoded style as clients read it. */
export const style = Type.Object(
  {
    id: Type.String({
      description: 'Unique identifier of the style. Send it as `styleDnaId`.',
      examples: ['sty_01KAJ3V8C0Q5M2X7ZB4N9TDWEH'],
    }),
    name: Type.String(),
    createdAt: dateTime('When the style was encoded.'),
    dna: encodedStyle,
  },
  { additionalProperties: false },
);
export type StyleView = Static<typeof style>;
