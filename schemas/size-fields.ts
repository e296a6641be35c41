/** The size of an image to create: an aspect ratio of the model family, or width and height. */
import Type from 'typebox';
import type { Family } from './families/family.ts';
import * as fields from './fields.ts';
import { exclusive, type Size } from './request.ts';

/** A request's size fields. */
export interface Sized {
  aspectRatio?: string;
  width?: number;
  height?: number;
}

export const sizeFields = (family: Family) => ({
  aspectRatio: Type.Optional(
    Type.Enum(
      family.aspectRatios.map((ratio) => ratio.id),
      {
        description: `The aspect ratio of the images. Cannot be combined with width and height. Default ${family.defaultAspectRatio}.`,
      },
    ),
  ),
  width: Type.Optional(fields.side('Width')),
  height: Type.Optional(fields.side('Height')),
});

export const sizeRules = [exclusive('width', 'aspectRatio'), exclusive('height', 'aspectRatio')];
export const sizesTogether = { width: ['height'], height: ['width'] };

/** Returns the size of the images to create. @param sized a completed request: an aspect ratio, or width and height */
export function sizeOf(family: Family, sized: Sized): Size {
  if (sized.width !== undefined && sized.height !== undefined) return { width: sized.width, height: sized.height };
  const ratio = family.aspectRatios.find(({ id }) => id === sized.aspectRatio);
  if (!ratio) throw new Error(`${family.family} has no aspect ratio ${sized.aspectRatio}`);
  return { width: ratio.width, height: ratio.height };
}
