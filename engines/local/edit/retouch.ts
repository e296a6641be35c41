/** Edits within the frame: each applies where its `where` or the mask says. */
import { faceOval, ovals } from '../cutout/faces.ts';
import { oklab } from '../oklab.ts';
import { maskOf } from '../pixels/alpha.ts';
import { clamp } from '../pixels/range.ts';
import { resizedPlane } from '../pixels/resample.ts';
import { fitting } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import { requireFaces } from '../vision/faces.ts';
import { withBackdrop } from './backdrop.ts';
import { defocused } from './defocus.ts';
import { blurred, clarified, denoised, glowing, grained, pixelated, sharpened, vignetted } from './detail.ts';
import { type GradeEdit, isGradeEdit, type LocalEdit } from './edits.ts';
import { inpaint } from './fill/inpaint.ts';
import { graded, gradeOf } from './grades.ts';
import { blended, type Picture } from './picture.ts';
import { recoloured } from './recolour.ts';
import { grown, regionOf, shareAround, subjectIfAny, subjectOf } from './regions.ts';

/** Parameters of the call that some edits need. */
export interface CallParams {
  seed: number;
  nsfw: boolean;
}

export async function retouched(picture: Picture, edit: LocalEdit, call: CallParams): Promise<Picture> {
  if (edit.kind === 'remove') return removed(picture, await regionOf(picture, edit.where), call);
  const region = await regionOf(picture, findsOwnPlace(edit) ? undefined : edit.where);
  const { raster } = picture;
  const longest = Math.max(raster.width, raster.height);
  const changed = isGradeEdit(edit)
    ? graded(raster, [gradeOf(edit)])
    : await (changes[edit.kind] as Change<Changing>)(edit, { picture, raster, region, call, longest });
  return { ...picture, raster: blended(raster, changed, region) };
}

/** Returns whether the edit finds its place by itself. */
const findsOwnPlace = ({ kind }: LocalEdit): boolean => kind === 'defocus' || kind === 'backdrop' || kind === 'censor';

interface Work {
  picture: Picture;
  raster: Raster;
  region: Raster<1> | null;
  call: CallParams;
  /** Pixels along the longer side. */
  longest: number;
}
type Changing = Exclude<LocalEdit, GradeEdit | { kind: 'remove' }>;
type Change<E> = (edit: E, work: Work) => Raster | Promise<Raster>;

const changes: { [K in Changing['kind']]: Change<Extract<Changing, { kind: K }>> } = {
  defocus: async ({ amount }, { raster, picture }) => defocused(raster, await subjectOf(picture), amount),
  backdrop: ({ fill }, { picture, call }) => withBackdrop(picture, fill, call),
  censor: ({ how }, { raster }) => censored(raster, how),
  recolour: ({ colour }, { raster, region }) => (region ? recoloured(raster, region, colour) : raster),
  auto: async (_, { raster }) =>
    sharpened(await clarified(graded(raster, improvements(raster).map(gradeOf)), 0.18), 0.3),
  blur: ({ amount }, { raster, longest }) => blurred(raster, Math.max(0.8, amount * 0.011 * longest)),
  sharpen: ({ amount }, { raster }) => sharpened(raster, amount),
  denoise: ({ amount }, { raster }) => denoised(raster, amount),
  clarity: ({ amount }, { raster }) => (amount < 0 ? glowing(raster, -amount) : clarified(raster, amount)),
  vignette: ({ amount }, { raster }) => vignetted(raster, amount),
  grain: ({ amount }, { raster, call }) => grained(raster, amount, call.seed),
  pixelate: ({ amount }, { raster, longest }) => pixelated(raster, Math.max(2, (longest / 48) * amount)),
};

/** Chooses the grades for an unspecific "enhance", from the picture's own light. */
function improvements({ data }: Raster): GradeEdit[] {
  const step = Math.max(1, Math.floor(data.length / 4 / 60_000)) * 4;
  const lights: number[] = [];
  let [aSum, bSum] = [0, 0];
  for (let i = 0; i < data.length; i += step) {
    const [L, a, b] = oklab([data[i]! / 255, data[i + 1]! / 255, data[i + 2]! / 255]);
    lights.push(L);
    // Pale colours show the colour of the light, strong ones that of objects.
    if (Math.hypot(a, b) < 0.08) [aSum, bSum] = [aSum + a, bSum + b];
  }
  lights.sort((x, y) => x - y);
  const at = (share: number): number => lights[Math.floor((lights.length - 1) * share)] ?? 0.5;
  const spread = at(0.95) - at(0.05);
  return [
    { kind: 'temperature', amount: clamp((-bSum / lights.length) * 4, -0.25, 0.25) },
    { kind: 'exposure', stops: clamp((0.62 - at(0.5)) * 2, -0.6, 0.6) },
    { kind: 'shadows', amount: clamp((0.3 - at(0.1)) * 1.2, 0, 0.35) },
    { kind: 'contrast', amount: clamp((0.75 - spread) * 0.9, 0.06, 0.3) },
    { kind: 'saturation', factor: 1.14 },
  ];
}

/** Makes faces unrecognisable. */
async function censored(raster: Raster, how: 'blur' | 'pixelate'): Promise<Raster> {
  const faces = await requireFaces(raster);
  // The largest face needs the most, which does no harm to smaller ones.
  const size = Math.max(faces[0].box.width, faces[0].box.height);
  const hide = how === 'blur' ? blurred(raster, Math.max(4, size / 5)) : pixelated(raster, Math.max(4, size / 8));
  const places = ovals(fitting(raster, 1024), raster, faces, faceOval);
  return blended(raster, await hide, maskOf(resizedPlane(places, raster.width, raster.height)));
}

/** Fills the region from around it, but not from the subject, unless the removed object belongs to the subject. */
async function removed(picture: Picture, region: Raster<1> | null, { seed }: CallParams): Promise<Picture> {
  if (!region) return picture;
  const { raster } = picture;
  const longest = Math.max(raster.width, raster.height);
  const mask = grown(region, Math.ceil(longest / (picture.mask ? 500 : 80)), 32);
  const subject = await subjectIfAny(picture);
  const isBeside = subject && shareAround(mask, subject, Math.ceil(longest / 60)) < 0.35;
  const avoid = isBeside ? grown(subject, Math.ceil(longest / 150)) : undefined;
  return { ...picture, raster: await inpaint(raster, { mask, avoid, seed }), subject: null };
}
