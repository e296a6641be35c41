/** What makes a tile of a repainted photograph. */
import type { Canvas } from '../../sketch/canvas.ts';
import type { Random } from '../../sketch/random.ts';
import type { Brief } from '../../sketch/read/brief.ts';
import { type Motif, motifs } from '../../sketch/tile/wrap.ts';

/** Paints over a canvas that tiles already; `photo` is the whole picture, uncut. Never reaches over the edges but wrapped. */
export type Tile = (canvas: Canvas, photo: Canvas, brief: Brief, random: Random) => Promise<void>;

/** What the prompt names; nothing where it names nothing, because the photograph brings motifs of its own. */
export async function namedMotifs(brief: Brief, random: Random, side: number): Promise<Motif[]> {
  return brief.subjects.length === 0 ? [] : motifs(brief, random, side, random.stream('words'));
}
