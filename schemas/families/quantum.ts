/** Quantum: crisp, geometric graphic design. */
import type { Family } from './family.ts';

export const quantum = {
  family: 'quantum',
  styles: [
    { id: 'neon', name: 'Neon', description: 'Glowing tubes of light in a dark, violet night.', seamless: false },
    { id: 'low-poly', name: 'Low poly', description: 'Faceted triangles, each lit by itself.', seamless: false },
    {
      id: 'pixel-art',
      name: 'Pixel art',
      description: 'Chunky pixels, a small palette, ordered dither.',
      seamless: false,
    },
    { id: 'blueprint', name: 'Blueprint', description: 'White drafting lines on blue grid paper.', seamless: false },
    { id: 'bricks', name: 'Bricks', description: 'Built of small studded toy bricks.', seamless: false },
    { id: 'vector', name: 'Vector', description: 'Flat poster shapes with smooth, bold edges.', seamless: false },
    { id: 'glitch', name: 'Glitch', description: 'Torn scan lines and split colour channels.', seamless: false },
    { id: 'hologram', name: 'Hologram', description: 'Iridescent light drawn in fine scan lines.', seamless: false },
    { id: 'pop-art', name: 'Pop art', description: 'Halftone dots, thick black lines, loud colour.', seamless: false },
    { id: 'contour', name: 'Contour', description: 'Topographic bands with fine level lines.', seamless: false },
  ],
  defaultAspectRatio: '1:1',
  aspectRatios: [
    { id: '1:1', width: 1024, height: 1024 },
    { id: '16:9', width: 1344, height: 768 },
    { id: '9:16', width: 768, height: 1344 },
    { id: '4:3', width: 1152, height: 864 },
    { id: '3:4', width: 864, height: 1152 },
    { id: '21:9', width: 1536, height: 656 },
    { id: '9:21', width: 656, height: 1536 },
  ],
} as const satisfies Family;
