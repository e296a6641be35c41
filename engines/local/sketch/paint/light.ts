/** The light of a time of day: what the sky, the haze and everything under it take their colour from. */
import { blend, hex, type Colour } from '../colour.ts';
import type { Time } from '../read/light.ts';

export interface Light {
  /** Zenith to horizon. */
  readonly sky: readonly Colour[];
  readonly haze: Colour;
  readonly sun: Colour;
  /** Multiplies the colour of things. */
  readonly tint: Colour;
  readonly shadow: Colour;
  readonly cloud: Colour;
  readonly cloudShade: Colour;
  readonly dark: boolean;
  /** How strongly light models form, 0–1. */
  readonly contrast: number;
}

const row = (
  sky: string,
  haze: string,
  sun: string,
  tint: Colour,
  shadow: string,
  cloud: string,
  cloudShade: string,
  dark: boolean,
  contrast: number,
): Light => ({
  sky: sky.split(' ').map(hex),
  haze: hex(haze),
  sun: hex(sun),
  tint,
  shadow: hex(shadow),
  cloud: hex(cloud),
  cloudShade: hex(cloudShade),
  dark,
  contrast,
});

const lights: Readonly<Record<Time, Light>> = {
  dawn: row(
    '#6f8fb8 #a9b3cf #eec3bd #ffdfb0',
    '#e9c4bd',
    '#fff0c8',
    [1, 0.91, 0.92],
    '#53557f',
    '#ffe4d2',
    '#b295b4',
    false,
    0.75,
  ),
  day: row(
    '#2f78c4 #63a6de #a5d0ea #dcedf0',
    '#c3dbe6',
    '#fffbe6',
    [1.03, 1.02, 0.98],
    '#34507a',
    '#ffffff',
    '#a9bccf',
    false,
    0.9,
  ),
  golden: row(
    '#4f88bd #93b4c4 #edcf9a #ffd98a',
    '#e0bd93',
    '#fff3b8',
    [1.1, 0.96, 0.76],
    '#5b4a63',
    '#fff0cd',
    '#cfa183',
    false,
    1,
  ),
  sunset: row(
    '#31407f #8a5a98 #e5697a #ff9e58 #ffcf6e',
    '#e98a6c',
    '#fff0a0',
    [1.04, 0.78, 0.68],
    '#3a2a5c',
    '#ffab7a',
    '#7c4478',
    false,
    0.95,
  ),
  dusk: row(
    '#16224f #3d3f82 #86629f #e0928f #f4b98b',
    '#8f719c',
    '#ffd9a8',
    [0.74, 0.68, 0.86],
    '#1e1d4a',
    '#c18aa5',
    '#4a3f78',
    true,
    0.7,
  ),
  night: row(
    '#050a1f #0b1738 #152a55 #2b4776',
    '#223a63',
    '#f2f1dc',
    [0.46, 0.55, 0.8],
    '#050a20',
    '#42597f',
    '#14223f',
    true,
    0.75,
  ),
  aurora: row(
    '#04091c #071a33 #0d3247 #1f5560',
    '#1d4653',
    '#d8fff0',
    [0.44, 0.64, 0.74],
    '#040c20',
    '#2c5363',
    '#0e2433',
    true,
    0.7,
  ),
  neon: row(
    '#0a0724 #1f0f4a #4d1a72 #a82d84 #ff6a6a',
    '#5d2478',
    '#ff9ad0',
    [0.74, 0.56, 0.95],
    '#0d0628',
    '#7a2f8c',
    '#2a1152',
    true,
    0.9,
  ),
  overcast: row(
    '#76879a #98a7b4 #bcc7cc #d6dcda',
    '#bcc6ca',
    '#f4f2e8',
    [0.88, 0.91, 0.94],
    '#47525f',
    '#dfe3e4',
    '#8593a1',
    false,
    0.5,
  ),
  storm: row(
    '#1d242f #333d4a #55626d #93a09d',
    '#606d77',
    '#e8ecdf',
    [0.62, 0.68, 0.74],
    '#161b27',
    '#6d7882',
    '#262e39',
    true,
    0.7,
  ),
};

/** Snow brightens what lies under it; fog flattens. */
export function lightOf(time: Time, foggy: boolean): Light {
  const light = lights[time];
  if (!foggy) return light;
  return { ...light, sky: light.sky.map((c) => blend(c, light.haze, 0.6)), contrast: light.contrast * 0.6 };
}
