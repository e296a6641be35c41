/** Times of day, weather, lights in the sky and moods, and the words for them. */
import { phraseTable } from '../../language/phrases.ts';

export type Time = 'dawn' | 'day' | 'golden' | 'sunset' | 'dusk' | 'night' | 'aurora' | 'neon' | 'overcast' | 'storm';
export type Weather = 'rain' | 'snow' | 'fog' | 'lightning' | 'wind' | 'rainbow' | 'clouds' | 'clear';
/** Things in the sky that are part of the light, and no subjects. */
export type Lamp = 'sun' | 'moon' | 'stars' | 'crescent' | 'shooting';
export type Mood = 'pastel' | 'vivid' | 'dark' | 'muted' | 'mono' | 'sepia' | 'warm' | 'cool';

const table = <T extends string>(lines: string): ReadonlyMap<string, T> => new Map(phraseTable(lines) as [string, T][]);

export const timeWords = table<Time>(`
  dawn: dawn, sunrise, daybreak, morning, early morning, first light, misty morning
  day: day, noon, midday, daylight, sunny, summer, afternoon, bright day, blue sky, spring
  golden: golden hour, golden light, late afternoon, sunlit, warm light, autumn, fall colors, harvest, sunlight,
    candlelight
  sunset: sunset, sundown, evening sun, evening, setting sun
  dusk: dusk, twilight, blue hour, nightfall, gloaming
  night: night, midnight, moonlight, moonlit, moon, stars, starry, starry night, starlight, nocturne, nighttime,
    night sky, full moon, crescent moon, shooting star, milky way, fireflies, constellation, constellations
  aurora: aurora, northern lights, aurora borealis, polar lights
  neon: neon, cyberpunk, synthwave, vaporwave, neon lights, retrowave, neon city
  overcast: overcast, cloudy, grey day, gray day, gloomy, drizzle
  storm: storm, stormy, thunderstorm, tempest, hurricane, thunder, lightning, tornado
`);

export const weatherWords = table<Weather>(`
  rain: rain, rainy, raining, drizzle, downpour, shower, monsoon, storm, stormy, thunderstorm
  snow: snowing, snowfall, snowflakes, falling snow, blizzard, snowstorm, snow
  fog: fog, foggy, mist, misty, haze, hazy, smoke, smoky
  lightning: lightning, thunderstorm, thunder, storm, stormy, tempest
  wind: wind, windy, breeze, gale, windswept
  rainbow: rainbow, rainbows
  clouds: clouds, cloudy, cloudscape, cumulus
  clear: clear sky, clear, cloudless, sunny
`);

export const lampWords = table<Lamp>(`
  sun: sun, sunshine, sunlight, sunny, sunrise, sunset, setting sun, rising sun
  moon: moon, full moon, moonlight, moonlit, moonrise
  crescent: crescent, crescent moon, half moon
  stars: stars, starry, starry night, starlight, constellation, constellations, star, milky way
  shooting: shooting star, shooting stars, falling star, meteor shower, comet
`);

/** Words for lamps that also name an hour; "stars" and "moon" only suggest one. */
export const hourWords: ReadonlySet<string> = new Set(['sunrise', 'sunset', 'setting sun', 'starry night']);

export const moodWords = table<Mood>(`
  pastel: pastel, pastels, soft colors, soft colours, pale, gentle, delicate, dreamy
  vivid: vivid, vibrant, colorful, colourful, bright, saturated, bold, rainbow colors, psychedelic, lively
  dark: dark, moody, gloomy, somber, sombre, eerie, spooky, haunted, mysterious, ominous, gothic, horror
  muted: muted, faded, vintage, subdued, earthy, earth tones, desaturated, melancholic
  mono: monochrome, black and white, grayscale, greyscale, noir, monochromatic
  sepia: sepia, antique, old photograph
  warm: warm, warm tones, warm colors, cozy, cosy
  cool: cool tones, cold tones, cool colors, chilly, cold
`);
