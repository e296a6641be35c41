/** Edits within the frame: each applies where its clause or the mask says. */
import { isGradeEdit, type LocalEdit } from './edits.ts';
import { improvements } from './auto.ts';
import { withBackdrop } from './backdrop.ts';
import { censored } from './censor.ts';
import { defocused } from './defocus.ts';
import { denoised } from './denoise.ts';
import { clarified, glowing, sharpened } from './detail.ts';
import { grained, vignetted } from './film.ts';
import { inpaint } from './fill/inpaint.ts';
import { graded, gradeOf } from './grades.ts';
import { blended, type Picture } from './picture.ts';
import { recoloured } from './recolour.ts';
import { grown, regionOf, subjectIfAny, subjectOf } from './regions.ts';
import { blurred, pixelated } from './soften.ts';
import type { Raster } from '../raster.ts';

/** Parameters of the call that some edits need. */
export interface Hand {
  seed: number;
  nsfw: boolean;
}

export async function retouched(picture: Picture, edit: LocalEdit, hand: Hand): Promise<Picture> {
  if (edit.kind === 'remove') return removed(picture, await regionOf(picture, edit.where), hand);
  const region = await regionOf(picture, isOfSubject(edit) ? undefined : edit.where);
  return { ...picture, raster: blended(picture.raster, await changed(picture, edit, region, hand), region) };
}

/** Returns whether the edit finds its place by itself. */
const isOfSubject = ({ kind }: LocalEdit): boolean => kind === 'defocus' || kind === 'backdrop' || kind === 'censor';

async function changed(
  picture: Picture,
  edit: Exclude<LocalEdit, { kind: 'remove' }>,
  region: Raster<1> | null,
  hand: Hand,
): Promise<Raster> {
  const { raster } = picture;
  if (isGradeEdit(edit)) return graded(raster, [gradeOf(edit)]);
  const longest = Math.max(raster.width, raster.height);
  switch (edit.kind) {
    case 'defocus':
      return defocused(raster, await subjectOf(picture), edit.amount);
    case 'backdrop':
      return withBackdrop(picture, edit.fill, hand);
    case 'censor':
      return censored(raster, edit.how);
    case 'recolour':
      return region ? recoloured(raster, region, edit.colour) : raster;
    case 'auto':
      return sharpened(await clarified(graded(raster, improvements(raster).map(gradeOf)), 0.18), 0.3);
    case 'blur':
      return blurred(raster, Math.max(0.8, edit.amount * 0.011 * longest));
    case 'sharpen':
      return sharpened(raster, edit.amount);
    case 'denoise':
      return denoised(raster, edit.amount);
    case 'clarity':
      return edit.amount < 0 ? glowing(raster, -edit.amount) : clarified(raster, edit.amount);
    case 'vignette':
      return vignetted(raster, edit.amount);
    case 'grain':
      return grained(raster, edit.amount, hand.seed);
    case 'pixelate':
      return pixelated(raster, Math.max(2, (longest / 48) * edit.amount));
  }
}

/** Fills the region from around it, but not from the subject, unless the removed object belongs to the subject. */
async function removed(picture: Picture, region: Raster<1> | null, { seed }: Hand): Promise<Picture> {
  if (!region) return picture;
  const { raster } = picture;
  const longest = Math.max(raster.width, raster.height);
  const mask = grown(region, Math.ceil(longest / (picture.mask ? 500 : 80)), 32);
  const around = grown({ ...region, data: mask }, Math.ceil(longest / 60), 0);
  const subject = await subjectIfAny(picture);
  let [rim, within] = [0, 0];
  for (let i = 0; subject && i < mask.length; i++) {
    if (!around[i] || mask[i]) continue;
    rim++;
    if (subject.data[i]! > 127) within++;
  }
  const avoid = subject && within < rim * 0.35 ? grown(subject, Math.ceil(longest / 150)) : undefined;
  return { ...picture, raster: await inpaint(raster, { mask, avoid, seed }), subject: null };
}
