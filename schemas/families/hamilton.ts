/** Hamilton: print-making and classical fine art. */
import type { Family } from './family.ts';

export const hamilton = {
  family: 'hamilton',
  styles: [
    {
      id: 'engraving',
      name: 'Engraving',
      description: 'Swelling black lines on white, as on a banknote.',
      seamless: false,
    },
    {
      id: 'linocut',
      name: 'Linocut',
      description: 'Bold carved shapes in one dark ink and one colour.',
      seamless: false,
    },
    {
      id: 'ukiyo-e',
      name: 'Ukiyo-e',
      description: 'Flat woodblock bands, fine outlines, washi paper.',
      seamless: false,
    },
    { id: 'ink-wash', name: 'Ink wash', description: 'Sumi ink that bleeds into absorbent paper.', seamless: false },
    { id: 'pencil', name: 'Pencil', description: 'Graphite hatching and careful contours.', seamless: false },
    { id: 'stained-glass', name: 'Stained glass', description: 'Glowing panes held by lead.', seamless: false },
    { id: 'mosaic', name: 'Mosaic', description: 'Roman tesserae set in pale mortar.', seamless: false },
    {
      id: 'pointillism',
      name: 'Pointillism',
      description: 'Thousands of round dots in complementary colour.',
      seamless: false,
    },
    { id: 'noir', name: 'Noir', description: 'Charcoal blacks, hard light, one hour before rain.', seamless: false },
    { id: 'fresco', name: 'Fresco', description: 'Faded pigment on cracked plaster.', seamless: false },
  ],
  defaultAspectRatio: '1:1',
  aspectRatios: [
    { id: '1:1', width: 1024, height: 1024 },
    { id: '4:5', width: 896, height: 1120 },
    { id: '5:4', width: 1120, height: 896 },
    { id: '3:4', width: 864, height: 1152 },
    { id: '4:3', width: 1152, height: 864 },
    { id: '2:3', width: 832, height: 1248 },
    { id: '3:2', width: 1248, height: 832 },
    { id: '16:9', width: 1344, height: 768 },
    { id: '9:16', width: 768, height: 1344 },
  ],
} as const satisfies Family;
