/** Describes a style in words: the measures of its pixels, and the medium that a prompt names. */
import { EngineError, type StyleMeasure, type StyleWords } from '../../contract/index.ts';
import { capital } from './phrasebook.ts';
import { colourName } from './colour-names.ts';
import { series } from './copy.ts';
import { fragmentsOf, mentions } from './fragments.ts';

const longestSummary = 400;
const longestKeyword = 40;

/** @throws EngineError if there is neither a measure nor a prompt */
export function describeStyle(measured: string, prompt: string | null): StyleWords {
  const measure = parsed(measured);
  const asked = prompt === null ? [] : wordsOf(prompt);
  const single = prompt === null || measure ? [] : (prompt.match(/\p{L}{3,40}/gu) ?? []);
  if (!measure && asked.length === 0)
    throw new EngineError('input_invalid', 'There is neither a measured style nor a prompt to describe.');
  const seen = measure ? looksOf(measure) : null;
  const keywords = unique([...asked.slice(0, 3), ...(seen?.keywords ?? single)]).slice(0, 8);
  const summary = seen ? sentenceOf(seen, asked[0]) : `A style of ${series(asked.slice(0, 4))}.`;
  return { summary: [...summary].slice(0, longestSummary).join(''), keywords };
}

/** @param measured JSON of a measure, or an empty text */
function parsed(measured: string): StyleMeasure | null {
  const value = JSON.parse(measured === '' ? '{}' : measured) as Partial<StyleMeasure>;
  return value.palette ? (value as StyleMeasure) : null;
}

/** Returns the prompt's words for the style, or else its first words. */
function wordsOf(prompt: string): string[] {
  const parts = fragmentsOf(prompt.replaceAll(/(?<![.!?])[.!?]+(?:\s|$)/gu, ', ')).map(({ text }) =>
    text.replace(/^(?:an?|the|in|with|in the style of|in a style of)\s+/iu, ''),
  );
  const medium = parts.filter((text) => mentions(text, 'style') || mentions(text, 'light'));
  return (medium.length > 0 ? medium : parts).map((text) => shortened(text)).filter((text) => text !== '');
}

function shortened(text: string): string {
  if ([...text].length <= longestKeyword) return text.trim();
  const head = [...text].slice(0, longestKeyword + 1).join('');
  const words = head.replace(/(?<!\s)\s+\S*$/u, '');
  return [...words].slice(0, longestKeyword).join('').trim();
}

interface Looks {
  colours: string[];
  light: string[];
  surface: string[];
  keywords: string[];
}

/** @param names upper limits with names, in order: `0.4 dark, 2 bright` */
const step = (value: number, names: string): string =>
  names
    .split(', ')
    .find((name) => value < Number.parseFloat(name))
    ?.replace(/^\S+ /u, '') ?? '';

function looksOf({ palette, light, colour, texture }: StyleMeasure): Looks {
  const colours = unique(palette.map((swatch) => colourName(swatch.colour))).slice(0, 3);
  const warmth = step(light.warmth, '0.3 cool, 0.43 slightly cool, 0.57 neutral, 0.7 slightly warm, 2 warm');
  const key = step(light.brightness, '0.22 very dark, 0.4 low-key, 0.62 mid-key, 0.8 high-key, 2 very bright');
  const contrast = step(
    light.contrast,
    '0.18 flat contrast, 0.38 soft contrast, 0.62 balanced contrast, 2 hard contrast',
  );
  const chroma = step(
    colour.saturation,
    '0.08 near-monochrome colour, 0.25 muted colour, 0.5 natural colour, 0.72 rich colour, 2 vivid colour',
  );
  const variety = step(colour.variety, '0.2 a single hue, 0.5 few hues, 0.75 several hues, 2 the whole range of hues');
  const surface = step(texture.grain, '0.2 smooth surfaces, 0.45 a light grain, 0.7 a visible grain, 2 rough grain');
  const outline = step(texture.edges, '0.2 soft edges, 0.5 gentle outlines, 2 hard outlines');
  const strokes = step(texture.scale, '0.33 fine strokes, 0.66 medium strokes, 2 broad strokes');
  const bare = (words: string): string => words.replace(/^(?:an?|the) /u, '');
  return {
    colours,
    light: [`${key}${warmth === 'neutral' ? '' : `, ${warmth}`} light`, contrast],
    surface: [`${chroma} in ${variety}`, surface, outline, strokes],
    keywords: [
      ...colours.slice(0, 2),
      `${warmth} light`,
      ...(key === 'mid-key' ? [] : [key]),
      contrast,
      chroma,
      bare(surface),
      strokes,
      outline,
    ],
  };
}

const sentenceOf = ({ colours, light, surface }: Looks, medium: string | undefined): string => {
  const colour = capital(series(colours));
  const lead = medium === undefined ? colour : `${capital(medium)}: ${series(colours)}`;
  return `${lead} under ${series(light)}, with ${series(surface)}.`;
};

const unique = (words: readonly string[]): string[] => {
  const seen = new Set<string>();
  return words.filter((word) => !seen.has(word.toLowerCase()) && seen.add(word.toLowerCase()));
};
