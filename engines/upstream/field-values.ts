/** Values that a template can use: the fields of a call, and the fields derived from them. */
import type { EncodedStyle } from '../contract/index.ts';
import type { ImageTask } from './image-tasks.ts';
import { resultSize } from './result-size.ts';

export interface FieldValues {
  /** Values that the request asks for; null or missing where the request left a field open. */
  requested: Readonly<Record<string, unknown>>;
  /** Values that follow from the input image. Used only where the template has no default. */
  implied: Readonly<Record<string, unknown>>;
}

export function fieldValues(task: ImageTask, params: Readonly<Record<string, unknown>>): FieldValues {
  const { prompt, instruction, aspectRatio = null, scale = null } = params;
  const result = resultSize(task, params);
  const size = result && `${result.width}x${result.height}`;
  const ratio = aspectRatio ?? (result && ratioOf(result));
  const hasShape = task === 'text-to-image' || aspectRatio !== null;
  const style = styleInWords(params);
  return {
    requested: {
      ...params,
      styledPrompt: typeof prompt === 'string' ? join([prompt, ...style]) : style.length > 0 ? join(style) : null,
      styledInstruction: typeof instruction === 'string' ? join([instruction, ...style]) : null,
      size: hasShape || scale !== null ? size : null,
      aspectRatio: hasShape ? ratio : null,
    },
    implied: { size, aspectRatio: ratio },
  };
}

/** Describes the style in words, because providers do not know our styles by name. */
function styleInWords({ styleWords, styleDna }: Readonly<Record<string, unknown>>): string[] {
  const dna = styleDna as EncodedStyle | null | undefined;
  return [
    ...(typeof styleWords === 'string' ? [`in the style "${styleWords.replace(/\.$/u, '')}"`] : []),
    ...(dna ? [`in this style: ${dna.words.summary} (${dna.words.keywords.join(', ')})`, coloursOf(dna)] : []),
  ];
}

function coloursOf({ measure }: EncodedStyle): string {
  return `in the colours ${measure.palette.map(({ colour }) => colour).join(', ')}`;
}

/** Joins parts with commas, without the full stop at the end of each part. */
const join = (parts: readonly string[]): string => parts.map((part) => part.trim().replace(/\.$/u, '')).join(', ');

function ratioOf({ width, height }: { width: number; height: number }): string {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  const common = divisor(width, height);
  return `${width / common}:${height / common}`;
}
