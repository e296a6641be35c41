/** Describes a style in words: the measures of its pixels, and the medium that a prompt names. */
import { EngineError, type StyleMeasure, type StyleWords } from '../../contract/index.ts';
import { oklab } from '../oklab.ts';
import { hex } from '../sketch/colour.ts';
import { cutAt } from './budget.ts';
import colours from './colours.json' with { type: 'json' };
import { series } from './copy.ts';
import { fragmentsOf, mentions, unique } from './fragments.ts';
import { capital } from './phrasebook.ts';

/** Limits of a summary and of a keyword, in code points. */
const longestSummary = 400;
const longestKeyword = 40;

/**
 * @param measured JSON of a measure, or an empty text
 * @throws EngineError if there is neither a measure nor a prompt
 */
export function describeStyle(measured: string, prompt: string | null): StyleWords {
  const measure = JSON.parse(measured === '' ? '{}' : measured) as Partial<StyleMeasure>;
  const named = prompt === null ? [] : wordsOf(prompt);
  const looks = measure.palette ? looksOf(measure as StyleMeasure) : null;
  if (!looks && named.length === 0)
    throw new EngineError('input_invalid', 'There is neither a measured style nor a prompt to describe.');
  const others = looks?.keywords ?? prompt?.match(/\p{L}{3,40}/gu) ?? [];
  const medium = named[0] === undefined ? '' : `${named[0]}: `;
  const summary = looks ? medium + looks.summary : `A style of ${series(named.slice(0, 4))}.`;
  return {
    summary: [...capital(summary)].slice(0, longestSummary).join(''),
    keywords: unique([...named.slice(0, 3), ...others]).slice(0, 8),
  };
}

/** Returns the prompt's words for the style, or else its first words. */
function wordsOf(prompt: string): string[] {
  const parts = fragmentsOf(prompt.replaceAll(/(?<![.!?])[.!?]+(?:\s|$)/gu, ', ')).map(({ text }) =>
    text.replace(/^(?:an?|the|in|with|in the style of|in a style of)\s+/iu, ''),
  );
  const media = parts.filter((text) => mentions(text, 'style') || mentions(text, 'light'));
  return (media.length > 0 ? media : parts)
    .map((text) => cutAt(text, longestKeyword).trim())
    .filter((text) => text !== '');
}

/** Names of the steps of each measure, each after its upper limit; no measure reaches the last limit, 2. */
const scales = {
  warmth: '0.3 cool, 0.43 slightly cool, 0.57 neutral, 0.7 slightly warm, 2 warm',
  brightness: '0.22 very dark, 0.4 low-key, 0.62 mid-key, 0.8 high-key, 2 very bright',
  contrast: '0.18 flat contrast, 0.38 soft contrast, 0.62 balanced contrast, 2 hard contrast',
  saturation: '0.08 near-monochrome colour, 0.25 muted colour, 0.5 natural colour, 0.72 rich colour, 2 vivid colour',
  variety: '0.2 a single hue, 0.5 few hues, 0.75 several hues, 2 the whole range of hues',
  grain: '0.2 smooth surfaces, 0.45 a light grain, 0.7 a visible grain, 2 rough grain',
  edges: '0.2 soft edges, 0.5 gentle outlines, 2 hard outlines',
  scale: '0.33 fine strokes, 0.66 medium strokes, 2 broad strokes',
};

function looksOf({ palette, light, colour, texture }: StyleMeasure): { summary: string; keywords: string[] } {
  const measures = { ...light, ...colour, ...texture };
  const named = (measure: keyof typeof scales): string => {
    const step = scales[measure].split(', ').find((name) => measures[measure] < Number.parseFloat(name));
    return step?.replace(/^\S+ /u, '') ?? '';
  };
  const main = unique(palette.map((swatch) => colourName(swatch.colour))).slice(0, 3);
  const [warmth, key, contrast] = [named('warmth'), named('brightness'), named('contrast')];
  const [chroma, grain, edges, strokes] = [named('saturation'), named('grain'), named('edges'), named('scale')];
  const lighting = `${key}${warmth === 'neutral' ? '' : `, ${warmth}`} light`;
  const surface = [`${chroma} in ${named('variety')}`, grain, edges, strokes];
  const keywords = [`${warmth} light`, key, contrast, chroma, grain.replace(/^a /u, ''), strokes, edges];
  return {
    summary: `${series(main)} under ${series([lighting, contrast])}, with ${series(surface)}.`,
    keywords: [...main.slice(0, 2), ...keywords.filter((word) => word !== 'mid-key')],
  };
}

/** About sixty plain colour names. */
const plainColours = Object.entries<string>(colours).map(([name, code]) => ({ name, lab: oklab(hex(code)) }));

/** Returns the nearest plain name, by distance in OKLab. @param colour `#rrggbb` */
export function colourName(colour: string): string {
  const [l, a, b] = oklab(hex(colour));
  const distances = plainColours.map(
    ({ lab }) => 0.7 * (l - lab[0]) ** 2 + 1.6 * ((a - lab[1]) ** 2 + (b - lab[2]) ** 2),
  );
  return plainColours[distances.indexOf(Math.min(...distances))]?.name ?? 'grey';
}
