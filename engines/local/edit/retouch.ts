/** Edits within the frame, each where its clause or the mask says. */
import type { DetailEdit, LocalEdit } from './edits.ts';
import { improvements } from './auto.ts';
import { beforeBackdrop } from './backdrop.ts';
import { censored } from './censor.ts';
import { defocused } from './defocus.ts';
import { denoised } from './denoise.ts';
import { clarified, glowing, sharpened } from './detail.ts';
import { grained, vignetted } from './film.ts';
import { inpaint } from './fill/inpaint.ts';
import { gradeOf } from './grade/grades.ts';
import { graded } from './grade/lut.ts';
import { blended, type Picture } from './picture.ts';
import { recoloured } from './recolour.ts';
import { grown, regionOf, subjectIfAny, subjectOf } from './regions.ts';
import { blurred, pixelated } from './soften.ts';
import type { Raster } from '../raster.ts';

export interface Hand {
  seed: number;
  nsfw: boolean;
}

export async function retouched(picture: Picture, edit: LocalEdit, hand: Hand): Promise<Picture> {
  const { raster } = picture;
  const change = (to: Raster): Picture => ({ ...picture, raster: to });
  switch (edit.kind) {
    case 'defocus': {
      const sharp = await subjectOf(picture);
      return change(blended(raster, await defocused(raster, sharp, edit.amount), picture.mask));
    }
    case 'backdrop':
      return change(blended(raster, await beforeBackdrop(picture, edit.fill, hand), picture.mask));
    case 'censor':
      return change(blended(raster, await censored(raster, edit.how), picture.mask));
    case 'recolour': {
      const region = await regionOf(picture, edit.where);
      return region ? change(recoloured(raster, region, edit.colour)) : picture;
    }
    case 'remove':
      return removed(picture, await regionOf(picture, edit.where), hand);
    case 'auto':
    case 'blur':
    case 'sharpen':
    case 'denoise':
    case 'clarity':
    case 'vignette':
    case 'grain':
    case 'pixelate': {
      const region = await regionOf(picture, edit.where);
      return change(blended(raster, await detailed(raster, edit, hand), region));
    }
    case 'exposure':
    case 'contrast':
    case 'shadows':
    case 'highlights':
    case 'temperature':
    case 'saturation':
    case 'tint':
    case 'monochrome':
    case 'sepia':
    case 'vintage':
    case 'invert': {
      const region = await regionOf(picture, edit.where);
      return change(blended(raster, graded(raster, [gradeOf(edit)]), region));
    }
  }
}

/** What a thing stood before is not made of another thing: unless it was part of the subject, nothing is taken from there. */
async function removed(picture: Picture, region: Raster<1> | null, { seed }: Hand): Promise<Picture> {
  if (!region) return picture;
  const { raster } = picture;
  const longest = Math.max(raster.width, raster.height);
  const mask = grown(region, Math.ceil(longest / (picture.mask ? 500 : 80)), 32);
  const around = grown({ ...region, data: mask.map((v) => v * 255) }, Math.ceil(longest / 60));
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

async function detailed(raster: Raster, edit: DetailEdit, { seed }: Hand): Promise<Raster> {
  const longest = Math.max(raster.width, raster.height);
  switch (edit.kind) {
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
      return grained(raster, edit.amount, seed);
    case 'pixelate':
      return pixelated(raster, Math.max(2, (longest / 48) * edit.amount));
  }
}
