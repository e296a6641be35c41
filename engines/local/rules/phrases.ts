/** Phrases that the rules add to prompts. None of them names a subject. */
import type { Place } from '../sketch/read/things.ts';
import type { Time } from '../sketch/read/light.ts';

export const bySetting: Readonly<Record<Place, readonly string[]>> = {
  ground: [
    'set in an open, quiet landscape',
    'with soft grass underfoot and distant hills behind',
    'in a calm natural setting with depth behind',
  ],
  sky: ['high in an airy sky above a wide landscape', 'against tall, drifting clouds'],
  water: ['on calm water with clear reflections', 'with gentle ripples and a far shore'],
  deep: ['in clear water with shafts of light from above'],
  table: ['on a simple wooden surface before a plain wall', 'arranged as a quiet still life'],
};

export const byTime: Readonly<Record<Time, readonly string[]>> = {
  dawn: ['first light and thin mist', 'low, tender light with long pale shadows'],
  day: ['clear daylight with crisp, short shadows', 'bright even light under an open sky'],
  golden: ['low warm light that rims every form', 'slanting golden light and long shadows'],
  sunset: ['a glowing horizon and warm rim light', 'burning clouds and deep silhouettes'],
  dusk: ['the last blue light and a few warm windows', 'soft afterglow with gentle contrast'],
  night: ['cool moonlight with deep shadows', 'a dark sky and small points of light'],
  aurora: ['green light rippling over the land', 'curtains of light reflected below'],
  neon: ['glowing signs and their wet reflections', 'saturated rim light from two sides'],
  overcast: ['soft diffuse light without hard shadows', 'a quiet, silvery light'],
  storm: ['dramatic light between dark clouds', 'a sudden pale break in heavy skies'],
};

export const openLight = [
  'soft natural light from the side',
  'gentle late-day light with long shadows',
  'luminous air and clear, modelled light',
] as const;
export const indoorLight = ['window light from the left', 'soft directional light with deep, quiet shadows'] as const;

export const compositions = [
  'composed on the rule of thirds with clear foreground, middle and distance',
  'a balanced composition with generous empty space',
  'a low viewpoint that leads the eye inward',
  'framed simply, with one clear focal point',
] as const;

export const closings = [
  'finely observed detail',
  'a sense of stillness and depth',
  'careful texture and atmosphere',
  'harmonious and unhurried in mood',
] as const;

/** Words for the medium, by style id. */
export const byStyle: Readonly<Record<string, string | undefined>> = {
  watercolor: 'transparent watercolor washes with soft bleeding edges',
  oil: 'rich oil paint with visible directional brushwork',
  pastel: 'soft chalk pastel on toned paper',
  impressionist: 'broken dabs of pure colour',
  storybook: 'a warm storybook illustration with inked outlines',
  anime: 'clean cel shading and a luminous sky',
  cinematic: 'a film still with shallow focus and a graded palette',
  dreamscape: 'soft focus and pearly, drifting light',
  'paper-cut': 'layers of cut paper with gentle drop shadows',
  'infiny-weave': 'worked as a seamless woven textile',
  'infiny-pattern': 'as an ordered seamless ornament',
  'infiny-flow': 'carried by seamless marbled currents',
  neon: 'glowing outlines on a violet night',
  'low-poly': 'faceted low-poly planes',
  'pixel-art': 'crisp pixel art with a small palette',
  blueprint: 'white drafting lines on blueprint paper',
  bricks: 'built of small studded bricks',
  vector: 'flat vector shapes with bold clean edges',
  glitch: 'torn scan lines and split colour channels',
  hologram: 'iridescent holographic scan lines',
  'pop-art': 'halftone dots and thick black outlines',
  contour: 'topographic bands with fine level lines',
  engraving: 'a fine line engraving with swelling hatching',
  linocut: 'a bold two-colour linocut',
  'ukiyo-e': 'a woodblock print with flat graded bands',
  'ink-wash': 'sumi ink wash on absorbent paper',
  pencil: 'careful graphite hatching',
  'stained-glass': 'glowing leaded glass panes',
  mosaic: 'small stone tesserae',
  pointillism: 'thousands of small pure dots',
  noir: 'high-contrast charcoal noir',
  fresco: 'a weathered fresco on plaster',
};
