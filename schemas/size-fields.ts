/** The size of a picture to be made: an aspect ratio of its family, or width and height. */
import Type from 'typebox';
import type { Family } from './families/family.ts';
import * as fields from './fields.ts';
import { exclusive, type Size } from './request.ts';

/** What a request says of it. */
export interface Sized {
  aspectRatio?: string;
  width?: number;
  height?: number;
}

export const sizeFields = (family: Family) => ({
  aspectRatio: Type.Optional(
    Type.Enum(
      family.aspectRatios.map((ratio) => ratio.id),
      { description: `Not together with width and height. Default ${family.defaultAspectRatio}.` },
    ),
  ),
  width: Type.Optional(fields.side('Width')),
  height: Type.Optional(fields.side('Height')),
});

export const sizeRules = [exclusive('width', 'aspectRatio'), exclusive('height', 'aspectRatio')];
export const sizesTogether = { width: ['height'], height: ['width'] };

/** @param sized a completed request, which names one or the other */
export function sizeOf(family: Family, sized: Sized): Size {
  if (sized.width !== undefined && sized.height !== undefined) return { width: sized.width, height: sized.height };
  const ratio = family.aspectRatios.find(({ id }) => id === sized.aspectRatio);
  if (!ratio) throw new Error(`${family.family} has no aspect ratio ${sized.aspectRatio}`);
  return { width: ratio.width, height: ratio.height };
}
