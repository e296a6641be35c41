/** The style infiny-weave: each crossing of warp and weft takes the photograph's colour. */
import { bindings, interlace } from '../../sketch/tile/weave.ts';
import { lay, motifs, type Tile } from '../../sketch/tile/wrap.ts';

export const weave: Tile = async (canvas, brief, random) => {
  const { width, height, unit } = canvas;
  const seed = random.fork();
  const binding = random.pick(bindings);
  const set = await motifs(brief, random, 190 * unit);
  for (const [k, motif] of set.entries())
    for (const half of [0, 0.5])
      lay(canvas, motif, (0.25 + half + k * 0.13) * width, (0.3 + half) * height, 0, 1, 0.94);
  interlace(canvas, Math.max(3.4, random.between(6.4, 8.4) * unit), binding, seed);
};
