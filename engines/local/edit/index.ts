/** Edits a photograph by an instruction, which a language model or rules read as a list of edits. */
import sharp from 'sharp';
import { EngineError, type EditImage } from '../../contract/index.ts';
import { dress } from '../dna/dress.ts';
import { decode, make, type Made, type Raster } from '../raster.ts';
import { isFrameEdit, type Edit } from './edits.ts';
import { cutToRatio } from './frame.ts';
import type { Picture } from './picture.ts';
import { editsOf, type Listed } from './read/index.ts';
import { reframed } from './reframe.ts';
import { retouched } from './retouch.ts';

/** Share of an encoded style that a photograph takes on; all of it would leave little of the photograph. */
const styling = 0.75;

export async function edit(params: EditImage & Listed): Promise<Made> {
  const { aspectRatio, seed, nsfw, outputFormat } = params;
  const edits = framedBy(editsOf(params), aspectRatio);
  const raster = await decode(params.image);
  let picture: Picture = { raster, mask: params.mask && (await maskFor(raster, params.mask)), subject: null };
  for (const one of edits) {
    picture = isFrameEdit(one) ? await reframed(picture, one, seed) : await retouched(picture, one, { seed, nsfw });
  }
  if (aspectRatio !== null) picture = await cutToRatio(picture, aspectRatio);
  const styled = params.styleDna ? dress(picture.raster, params.styleDna, { amount: styling, seed }) : picture.raster;
  return make('local/darkroom', styled, outputFormat, seed);
}

/** Replaces the instruction's ratio with the request's; the instruction decides whether to crop or to extend. */
function framedBy(edits: readonly Edit[], ratio: string | null): Edit[] {
  if (ratio === null) return [...edits];
  return edits.flatMap((one): Edit[] => {
    if (one.kind === 'crop' && 'ratio' in one) return [];
    return one.kind === 'extend' ? [{ kind: 'extend', ratio }] : [one];
  });
}

/** Returns the mask at the picture's size; transparent parts are black. */
async function maskFor({ width, height }: Raster, mask: { bytes: Uint8Array }): Promise<Raster<1>> {
  const data = await sharp(mask.bytes)
    .flatten({ background: '#000' })
    .resize(width, height, { fit: 'fill', kernel: 'linear' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  if (data.every((value) => value === 0)) {
    throw new EngineError('input_invalid', 'The mask is black.', {
      publicMessage: 'The mask is black all over, so nothing may change. Paint white where the image may change.',
    });
  }
  return { width, height, channels: 1, data };
}
