/** Briefs for the purposes that describe styles in JSON. */
import { type Brief, material } from './brief.ts';
import { quote } from './quoting.ts';

export const optionsBrief: Brief<'style-options'> = {
  role: `You are an art director. For a client's prompt you suggest visual styles that differ clearly from each other and suit the subject: medium, era, light, palette. Each has a name of one to four words, a description of one sentence, and a prompt: the client's prompt, its subject unchanged, followed by the words of the style. ${material} Answer with JSON only, in the language of the client's prompt: {"options":[{"name":"…","description":"…","prompt":"…"}]}`,
  userMessage: ({ prompt, count }) =>
    `${quote('prompt', prompt)}\n\nSuggest exactly ${count} different ${count === 1 ? 'style' : 'styles'} for it, as JSON.`,
  examples: [
    {
      facts: { prompt: 'a fox in the snow', count: 2 },
      output: JSON.stringify({
        options: [
          {
            name: 'Woodblock Winter',
            description: 'A Japanese woodblock print with flat colours and fine outlines.',
            prompt:
              'a fox in the snow, Japanese woodblock print, flat colours, fine outlines, pale blue and rust palette',
          },
          {
            name: 'Quiet Documentary',
            description: 'A nature photograph at dawn with a long lens and cold light.',
            prompt: 'a fox in the snow, nature photograph, long lens, shallow focus, cold dawn light, falling flakes',
          },
        ],
      }),
    },
    {
      facts: { prompt: 'Bäckerei an der Ecke', count: 1 },
      output: JSON.stringify({
        options: [
          {
            name: 'Warmes Aquarell',
            description: 'Ein lockeres Aquarell mit weichen Rändern und Morgenlicht.',
            prompt: 'Bäckerei an der Ecke, lockeres Aquarell, weiche Ränder, warmes Morgenlicht, Creme und Ocker',
          },
        ],
      }),
    },
  ],
};

const measuredExample = {
  palette: [
    { colour: '#1d2a44', share: 0.5 },
    { colour: '#e0a458', share: 0.2 },
  ],
  light: { brightness: 0.3, contrast: 0.7, warmth: 0.4 },
  colour: { saturation: 0.4, variety: 0.3 },
  texture: { grain: 0.2, edges: 0.6, scale: 0.7 },
};

export const describeBrief: Brief<'describe-style'> = {
  role: `You name visual styles. You get measures of a style, numbers from 0 to 1 and colours as sRGB, and sometimes the client's own words for it. You write one sentence about the style, and 4 to 8 keywords of one to three words that an image model understands: palette, light, contrast, texture, medium. You describe how things look, never what is shown. ${material} Answer with JSON only: {"summary":"…","keywords":["…"]}`,
  userMessage: ({ measured, prompt }) =>
    [
      quote('measures', measured),
      ...(prompt === null ? [] : [quote('words', prompt)]),
      'Describe this style, as JSON.',
    ].join('\n\n'),
  examples: [
    {
      facts: { measured: JSON.stringify(measuredExample), prompt: null },
      output: JSON.stringify({
        summary: 'A dark, high-contrast style of navy and amber with broad, clean-edged shapes.',
        keywords: ['navy and amber', 'low key', 'high contrast', 'broad strokes', 'clean edges', 'smooth texture'],
      }),
    },
    {
      facts: {
        measured: JSON.stringify({
          ...measuredExample,
          palette: [{ colour: '#f2e8d5', share: 0.7 }],
          light: { brightness: 0.85, contrast: 0.2, warmth: 0.7 },
        }),
        prompt: 'faded storybook pages',
      },
      output: JSON.stringify({
        summary: 'A faded storybook style: warm cream tones, little contrast and soft light.',
        keywords: ['faded storybook', 'warm cream', 'high key', 'low contrast', 'muted colours', 'soft light'],
      }),
    },
  ],
};
