/** The light of each time of day, which colours the sky, the haze and all objects. */
import { blend, hex, type Colour } from '../colour.ts';
import type { Time } from '../read/vocabulary.ts';

export interface Light {
  /** Colours from the zenith to the horizon. */
  readonly sky: readonly Colour[];
  readonly haze: Colour;
  readonly sun: Colour;
  /** Factor for the colour of things. */
  readonly tint: Colour;
  readonly shadow: Colour;
  readonly cloud: Colour;
  readonly cloudShade: Colour;
  readonly dark: boolean;
  /** Contrast of light and shade on forms, 0–1. */
  readonly contrast: number;
}

/** @param others colours of the haze, the sun, the shadow, the clouds and the shade of clouds */
function light(sky: string, others: string, tint: Colour, contrast: number, when: 'bright' | 'dark' = 'bright'): Light {
  const [haze, sun, shadow, cloud, cloudShade] = others.split(' ').map(hex) as [Colour, Colour, Colour, Colour, Colour];
  return { sky: sky.split(' ').map(hex), haze, sun, shadow, cloud, cloudShade, tint, contrast, dark: when === 'dark' };
}

// prettier-ignore
const lights: Readonly<Record<Time, Light>> = {
  dawn: light('#6f8fb8 #a9b3cf #eec3bd #ffdfb0', '#e9c4bd #fff0c8 #53557f #ffe4d2 #b295b4', [1, 0.91, 0.92], 0.75),
  day: light('#2f78c4 #63a6de #a5d0ea #dcedf0', '#c3dbe6 #fffbe6 #34507a #ffffff #a9bccf', [1.03, 1.02, 0.98], 0.9),
  golden: light('#4f88bd #93b4c4 #edcf9a #ffd98a', '#e0bd93 #fff3b8 #5b4a63 #fff0cd #cfa183', [1.1, 0.96, 0.76], 1),
  sunset: light('#31407f #8a5a98 #e5697a #ff9e58 #ffcf6e', '#e98a6c #fff0a0 #3a2a5c #ffab7a #7c4478', [1.04, 0.78, 0.68], 0.95),
  dusk: light('#16224f #3d3f82 #86629f #e0928f #f4b98b', '#8f719c #ffd9a8 #1e1d4a #c18aa5 #4a3f78', [0.74, 0.68, 0.86], 0.7, 'dark'),
  night: light('#050a1f #0b1738 #152a55 #2b4776', '#223a63 #f2f1dc #050a20 #42597f #14223f', [0.46, 0.55, 0.8], 0.75, 'dark'),
  aurora: light('#04091c #071a33 #0d3247 #1f5560', '#1d4653 #d8fff0 #040c20 #2c5363 #0e2433', [0.44, 0.64, 0.74], 0.7, 'dark'),
  neon: light('#0a0724 #1f0f4a #4d1a72 #a82d84 #ff6a6a', '#5d2478 #ff9ad0 #0d0628 #7a2f8c #2a1152', [0.74, 0.56, 0.95], 0.9, 'dark'),
  overcast: light('#76879a #98a7b4 #bcc7cc #d6dcda', '#bcc6ca #f4f2e8 #47525f #dfe3e4 #8593a1', [0.88, 0.91, 0.94], 0.5),
  storm: light('#1d242f #333d4a #55626d #93a09d', '#606d77 #e8ecdf #161b27 #6d7882 #262e39', [0.62, 0.68, 0.74], 0.7, 'dark'),
};

/** Returns the light of a time; fog flattens it. */
export function lightOf(time: Time, foggy: boolean): Light {
  const clear = lights[time];
  if (!foggy) return clear;
  return { ...clear, sky: clear.sky.map((c) => blend(c, clear.haze, 0.6)), contrast: clear.contrast * 0.6 };
}
