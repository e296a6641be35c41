/** Qualities of a picture that can be more or less, and the words that people have for them. */
import type { LocalEdit } from '../edits.ts';
import { scaled, type Amount } from './amount.ts';

/** @param sign 1 for more of the quality, -1 for less */
type Quality = (sign: 1 | -1, amount: Amount) => LocalEdit[] | null;

const clampLow = (n: number): number => Math.max(0, n);

export const qualities = {
  exposure: (sign, amount) => {
    if (amount.percent === null) return [{ kind: 'exposure', stops: sign * 0.6 * amount.level }];
    // Percentages are of the brightness as it is seen, not of the light.
    const seen = sign > 0 ? 1 + amount.percent / 100 : Math.max(0.05, 1 - amount.percent / 100);
    return [{ kind: 'exposure', stops: 2.2 * Math.log2(seen) }];
  },
  contrast: (sign, amount) => [{ kind: 'contrast', amount: sign * scaled(amount, 0.3, 1) }],
  shadows: (sign, amount) => [{ kind: 'shadows', amount: sign * scaled(amount, 0.4, 1) }],
  highlights: (sign, amount) => [{ kind: 'highlights', amount: sign * scaled(amount, 0.4, 1) }],
  temperature: (sign, amount) => [{ kind: 'temperature', amount: sign * scaled(amount, 0.4, 1) }],
  saturation: (sign, amount) => {
    const change = scaled(amount, sign > 0 ? 0.35 : 0.4, 1);
    return [{ kind: 'saturation', factor: clampLow(1 + sign * change) }];
  },
  sharpness: (sign, amount) =>
    sign > 0
      ? [{ kind: 'sharpen', amount: scaled(amount, 0.6, 1.2) }]
      : [{ kind: 'blur', amount: scaled(amount, 0.25, 1) }],
  blur: (sign, amount) =>
    sign > 0
      ? [{ kind: 'blur', amount: scaled(amount, 0.6, 1.5) }]
      : [{ kind: 'sharpen', amount: scaled(amount, 0.8, 1.2) }],
  noise: (sign, amount) =>
    sign > 0
      ? [{ kind: 'grain', amount: scaled(amount, 0.5, 1) }]
      : [{ kind: 'denoise', amount: scaled(amount, 0.6, 1) }],
  smoothness: (sign, amount) => (sign > 0 ? [{ kind: 'denoise', amount: scaled(amount, 0.7, 1) }] : null),
  clarity: (sign, amount) => [{ kind: 'clarity', amount: sign * scaled(amount, 0.5, 1) }],
  softness: (sign, amount) => [{ kind: 'clarity', amount: -sign * scaled(amount, 0.5, 1) }],
  haze: (sign, amount) =>
    sign > 0
      ? null
      : [
          { kind: 'clarity', amount: scaled(amount, 0.5, 1) },
          { kind: 'contrast', amount: scaled(amount, 0.2, 0.6) },
          { kind: 'saturation', factor: 1 + scaled(amount, 0.12, 0.4) },
        ],
  vignette: (sign, amount) => [{ kind: 'vignette', amount: sign * scaled(amount, 0.5, 1) }],
  pop: (sign, amount) => [
    { kind: 'contrast', amount: sign * scaled(amount, 0.18, 0.5) },
    { kind: 'saturation', factor: clampLow(1 + sign * scaled(amount, 0.28, 0.8)) },
  ],
  drama: (sign, amount) =>
    sign < 0
      ? [{ kind: 'contrast', amount: -scaled(amount, 0.25, 0.8) }]
      : [
          { kind: 'clarity', amount: scaled(amount, 0.6, 1) },
          { kind: 'contrast', amount: scaled(amount, 0.3, 0.8) },
          { kind: 'vignette', amount: scaled(amount, 0.35, 0.8) },
        ],
  mood: (sign, amount) =>
    sign < 0
      ? null
      : [
          { kind: 'exposure', stops: -scaled(amount, 0.4, 1) },
          { kind: 'saturation', factor: 0.78 },
          { kind: 'contrast', amount: 0.2 },
          { kind: 'vignette', amount: scaled(amount, 0.4, 0.8) },
        ],
  cinema: (sign, amount) =>
    sign < 0
      ? null
      : [
          { kind: 'contrast', amount: scaled(amount, 0.25, 0.6) },
          { kind: 'tint', colour: [0.12, 0.45, 0.5], amount: 0.1 },
          { kind: 'vignette', amount: scaled(amount, 0.3, 0.8) },
        ],
  dream: (sign, amount) =>
    sign < 0
      ? null
      : [
          { kind: 'clarity', amount: -scaled(amount, 0.7, 1) },
          { kind: 'exposure', stops: 0.25 },
          { kind: 'saturation', factor: 0.9 },
        ],
  monochrome: (sign) => (sign > 0 ? [{ kind: 'monochrome' }] : null),
  sepia: (sign, amount) => (sign > 0 ? [{ kind: 'sepia', amount: scaled(amount, 1, 1) }] : null),
  vintage: (sign, amount) => (sign > 0 ? [{ kind: 'vintage', amount: scaled(amount, 1, 1) }] : null),
  inversion: (sign) => (sign > 0 ? [{ kind: 'invert' }] : null),
  pixels: (sign, amount) => (sign > 0 ? [{ kind: 'pixelate', amount: scaled(amount, 1, 2) }] : null),
  quality: (sign) => (sign > 0 ? [{ kind: 'auto' }] : null),
} satisfies Record<string, Quality>;

export type QualityName = keyof typeof qualities;

/** `word` has more of the quality, `-word` less of it. */
const list: Record<QualityName, string> = {
  exposure:
    'bright brighter brighten brightened brightening brightness light lighter lighten lightened lightness lightening exposure luminance luminosity overexposed overexpose illuminate illuminated relight lit ' +
    '-dark -darker -darken -darkened -darkness -dim -dimmer -gloomy -underexposed -underexpose -murky',
  contrast: 'contrast contrasts contrasty contrasted punchy punchier punch -flat -flatter -flatten',
  shadows: 'shadow shadows blacks',
  highlights: 'highlight highlights whites',
  temperature:
    'warm warmer warmth warmly warming temperature sunny sunnier cosy cozy cozier cosier -cool -cooler -cold -colder -chilly -chillier -icy -cooling -frosty',
  saturation:
    'saturation saturated saturate vivid vivider vividness vibrant vibrance vibrancy colourful colorful colour colours color colors colouring coloring hues ' +
    '-muted -mute -dull -duller -desaturated -desaturate -pale -paler -subdued -faded -fade',
  sharpness:
    'sharp sharper sharpen sharpened sharpness sharpening crisp crisper crispness crispy detail details detailed focused',
  blur: 'blur blurry blurred blurrier blurriness blurring fuzzy unfocused unfocus defocus defocused -unblur -deblur',
  noise: 'grain grainy grainier noise noisy noisier graininess -denoise -denoised -denoising -degrain',
  smoothness: 'smooth smoother smoothen smoothed smoothing',
  clarity: 'clarity clear clearer definition hdr texture structure defined',
  softness: 'soft softer soften softened softness softening',
  haze: 'haze hazy fog foggy mist misty -dehaze -defog',
  vignette: 'vignette vignetting vignetted',
  pop: 'pop pops popping lively livelier',
  drama: 'dramatic drama dramatically epic',
  mood: 'moody moodier brooding',
  cinema: 'cinematic',
  dream: 'dreamy dreamier dreamlike ethereal',
  monochrome: 'monochrome noir colourless colorless',
  sepia: 'sepia',
  vintage: 'vintage retro nostalgic aged analog analogue',
  inversion: 'invert inverted inverting negative',
  pixels: 'pixelate pixelated pixelation pixelize pixelized mosaic mosaicked',
  quality:
    'better nicer enhance enhanced enhancement improve improved auto autocorrect beautiful prettier professional',
};

export const qualityWords: ReadonlyMap<string, { quality: QualityName; sign: 1 | -1 }> = new Map(
  Object.entries(list).flatMap(([quality, words]) =>
    words
      .split(' ')
      .map(
        (word) =>
          [word.replace(/^-/u, ''), { quality: quality as QualityName, sign: word.startsWith('-') ? -1 : 1 }] as const,
      ),
  ),
);
