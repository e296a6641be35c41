/** Selena: versatile painting, including the seamless styles. */
import type { Family } from './family.ts';

export const selena = {
  family: 'selena',
  variations: ['selena-variete'],
  styles: [
    {
      id: 'watercolor',
      name: 'Watercolor',
      description: 'Wet washes that pool at their edges on rough paper.',
      seamless: false,
    },
    { id: 'oil', name: 'Oil', description: 'Thick directional brushwork with impasto relief.', seamless: false },
    { id: 'pastel', name: 'Pastel', description: 'Soft chalk strokes on a warm toned paper.', seamless: false },
    {
      id: 'impressionist',
      name: 'Impressionist',
      description: 'Broken dabs of pure colour that mix in the eye.',
      seamless: false,
    },
    {
      id: 'storybook',
      name: 'Storybook',
      description: 'Inked outlines over warm, gently textured colour.',
      seamless: false,
    },
    {
      id: 'anime',
      name: 'Anime',
      description: 'Clean cel shading, luminous skies, saturated colour.',
      seamless: false,
    },
    {
      id: 'cinematic',
      name: 'Cinematic',
      description: 'A graded film frame: teal shadows, warm light, grain.',
      seamless: false,
    },
    {
      id: 'dreamscape',
      name: 'Dreamscape',
      description: 'Soft focus, pearly colour and drifting light.',
      seamless: false,
    },
    { id: 'paper-cut', name: 'Paper cut', description: 'Layers of cut paper, each with its shadow.', seamless: false },
    {
      id: 'infiny-weave',
      name: 'Infiny weave',
      description: 'Seamless: interlaced threads carry the motifs.',
      seamless: true,
    },
    {
      id: 'infiny-pattern',
      name: 'Infiny pattern',
      description: 'Seamless: the subjects as an ordered ornament.',
      seamless: true,
    },
    {
      id: 'infiny-flow',
      name: 'Infiny flow',
      description: 'Seamless: marbled currents with drifting subjects.',
      seamless: true,
    },
  ],
  defaultAspectRatio: '1:1',
  aspectRatios: [
    { id: '1:1', width: 1024, height: 1024 },
    { id: '16:9', width: 1344, height: 768 },
    { id: '9:16', width: 768, height: 1344 },
    { id: '4:3', width: 1152, height: 864 },
    { id: '3:4', width: 864, height: 1152 },
    { id: '3:2', width: 1248, height: 832 },
    { id: '2:3', width: 832, height: 1248 },
    { id: '5:4', width: 1120, height: 896 },
    { id: '4:5', width: 896, height: 1120 },
    { id: '21:9', width: 1536, height: 656 },
  ],
} as const satisfies Family;
