/** What an operator's template can take from a call: its fields, and what is derived from them. */
import type { EncodedStyle } from '../../schemas/style-dna.ts';
import type { Task } from '../../schemas/tasks.ts';
import { wantedSize } from './size.ts';

export interface Sources {
  /** What the request asks for; null or missing where it left that open. */
  asked: Readonly<Record<string, unknown>>;
  /** What follows from the image where nobody asked: only for a template that has no default of its own. */
  implied: Readonly<Record<string, unknown>>;
}

export function sourcesOf(task: Task, params: Readonly<Record<string, unknown>>): Sources {
  const { prompt, instruction, aspectRatio = null, scale = null } = params;
  const wanted = wantedSize(task, params);
  const size = wanted && `${wanted.width}x${wanted.height}`;
  const ratio = aspectRatio ?? (wanted && ratioOf(wanted));
  const isShaped = task === 'text-to-image' || aspectRatio !== null;
  const words = styleWordsOf(params);
  return {
    asked: {
      ...params,
      styledPrompt:
        typeof prompt === 'string' ? sentence([prompt, ...words]) : words.length > 0 ? sentence(words) : null,
      styledInstruction: typeof instruction === 'string' ? sentence([instruction, ...words]) : null,
      size: isShaped || scale !== null ? size : null,
      aspectRatio: isShaped ? ratio : null,
    },
    implied: { size, aspectRatio: ratio },
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
