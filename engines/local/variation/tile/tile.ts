/** The type of a seamless style, and the motifs that a prompt names. */
import type { Canvas } from '../../sketch/canvas.ts';
import type { Random } from '../../sketch/random.ts';
import type { Brief } from '../../sketch/read/brief.ts';
import { type Motif, motifs } from '../../sketch/tile/wrap.ts';

/** Paints over a seamless canvas and wraps at its edges; `photo` is the whole, uncut picture. */
export type Tile = (canvas: Canvas, photo: Canvas, brief: Brief, random: Random) => Promise<void>;

/** Returns the motifs that the prompt names; none by default, because the photograph has its own. */
export async function namedMotifs(brief: Brief, random: Random, side: number): Promise<Motif[]> {
  return brief.subjects.length === 0 ? [] : motifs(brief, random, side, random.stream('words'));
}
