/** What an operator's template can take from a call: its fields, and what is derived from them. */
import type { EncodedStyle } from '../../schemas/style-dna.ts';
import type { Task } from '../../schemas/tasks.ts';
import { wantedSize } from './size.ts';

export function sourcesOf(task: Task, params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { prompt, instruction, aspectRatio } = params;
  const size = wantedSize(task, params);
  const words = styleWordsOf(params);
  return {
    ...params,
    styledPrompt: typeof prompt === 'string' ? sentence([prompt, ...words]) : words.length > 0 ? sentence(words) : null,
    styledInstruction: typeof instruction === 'string' ? sentence([instruction, ...words]) : null,
    size: size && `${size.width}x${size.height}`,
    aspectRatio: aspectRatio ?? (size && ratioOf(size)),
  };
}

/** A look in words: models elsewhere do not know our styles by their names. */
function styleWordsOf({ styleWords, styleDna }: Readonly<Record<string, unknown>>): string[] {
  const dna = styleDna as EncodedStyle | null | undefined;
  return [
    ...(typeof styleWords === 'string' ? [`in the style "${styleWords.replace(/\.$/u, '')}"`] : []),
    ...(dna ? [`in this style: ${dna.words.summary} (${dna.words.keywords.join(', ')})`, colours(dna)] : []),
  ];
}

function colours({ measure }: EncodedStyle): string {
  return `in the colours ${measure.palette.map(({ colour }) => colour).join(', ')}`;
}

/** Each part without the full stop that the next would follow. */
const sentence = (parts: readonly string[]): string => parts.map((part) => part.trim().replace(/\.$/u, '')).join(', ');

function ratioOf({ width, height }: { width: number; height: number }): string {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  const common = divisor(width, height);
  return `${width / common}:${height / common}`;
}
