/** The demo's requests: at least one artwork of every operation, on photographs in the public domain. */

export type Photo = 'astronaut' | 'hopper' | 'chelsea' | 'coffee' | 'rocket';

export interface Case {
  operation: string;
  /** Text after the operation's name in the heading of the row. */
  title: string;
  /** Photographs by the field that takes them. */
  images?: Record<string, Photo>;
  body?: Record<string, unknown>;
}

const family = (operation: string, prompt: string, body: Record<string, unknown> = {}): Case => ({
  operation,
  title: prompt,
  body: { prompt, seed: 7, aspectRatio: '4:3', ...body },
});

const pilot = (image: Photo, instruction: string, body: Record<string, unknown> = {}): Case => ({
  operation: 'photo-pilot',
  title: instruction,
  images: { image },
  body: { instruction, seed: 7, ...body },
});

const vary = (image: Photo, body: Record<string, unknown>): Case => ({
  operation: 'selena-variete',
  title: Object.entries(body)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', '),
  images: { image },
  body: { seed: 7, ...body },
});

export const cases: readonly Case[] = [
  family('selena', 'a red fox in a snowy forest at dawn', { style: 'watercolor' }),
  family('quantum', 'a city by the sea at night', { style: 'neon' }),
  family('hamilton', 'a sailing ship in a storm', { style: 'engraving', promptMode: 'seer' }),
  vary('chelsea', { style: 'oil', strength: 0.6 }),
  vary('coffee', { prompt: 'in autumn, warm light', strength: 0.8 }),
  vary('astronaut', { style: 'infiny-pattern', strength: 0.7 }),
  pilot('coffee', 'make it warmer and add a vignette'),
  pilot('astronaut', 'blur the background'),
  pilot('chelsea', 'replace the background with a beach at sunset'),
  pilot('rocket', 'black and white, more contrast', { aspectRatio: '1:1' }),
  { operation: 'face-refiner', title: 'all models', images: { image: 'hopper' } },
  {
    operation: 'face-swap',
    title: 'hopper’s face on the astronaut',
    images: { sourceImage: 'hopper', targetImage: 'astronaut' },
  },
  { operation: 'upscaling', title: '×2', images: { image: 'chelsea' }, body: { scale: 2 } },
  { operation: 'detailer-upscaler', title: 'detail 0.9', images: { image: 'coffee' }, body: { detail: 0.9 } },
  { operation: 'remove-background', title: 'a cat', images: { image: 'chelsea' } },
  { operation: 'remove-background', title: 'a person', images: { image: 'astronaut' } },
  {
    operation: 'segmentation',
    title: 'person, face, background',
    images: { image: 'astronaut' },
    body: { prompts: ['person', 'face', 'background'] },
  },
  {
    operation: 'segmentation',
    title: 'points on the cup',
    images: { image: 'coffee' },
    body: {
      points: [
        { x: 250, y: 120, label: 1 },
        { x: 40, y: 40, label: 0 },
      ],
    },
  },
  { operation: 'depth-map', title: 'near is white', images: { image: 'coffee' } },
  { operation: 'depth-map', title: 'near is white', images: { image: 'astronaut' } },
];

/** Styles to encode, from photographs or from a prompt. The first one is used for the other operations, too. */
export const styles: readonly [StyleCase, ...StyleCase[]] = [
  { name: 'warm browns', photos: ['coffee', 'chelsea'] },
  { name: 'blue night', photos: ['rocket'] },
  { name: 'orange and grey', photos: ['astronaut'] },
  { name: 'autumn wood', photos: [], prompt: 'an autumn forest in golden light' },
];

export interface StyleCase {
  name: string;
  photos: Photo[];
  prompt?: string;
}
