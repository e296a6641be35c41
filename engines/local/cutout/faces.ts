/** Draws masks of detected faces: the outlines of their meshes, or ovals around faces or heads. */
import { inOpenCv } from '../pixels/opencv.ts';
import { type Plane, plane } from '../pixels/plane.ts';
import type { Raster, Size } from '../raster.ts';
import { ramp } from '../pixels/range.ts';
import type { Face } from '../vision/faces.ts';

/** Fractional bits of the coordinates of OpenCV's drawing functions. */
const fraction = 4;

/** Returns a mask of the outlines of the meshes, with edges that are soft over one pixel. */
export function faceMask({ width, height }: Raster<3 | 4>, faces: readonly Face[]): Raster<1> {
  return inOpenCv(({ cv, bytes, empty }) => {
    const mask = bytes(new Uint8Array(width * height), width, height);
    for (const { mesh } of faces) {
      const points = empty(mesh.length, 1, cv.CV_32SC2);
      mesh.forEach(([x, y], k) => {
        points.data32S[2 * k] = Math.round((x - 0.5) * 2 ** fraction);
        points.data32S[2 * k + 1] = Math.round((y - 0.5) * 2 ** fraction);
      });
      const hull = empty();
      cv.convexHull(points, hull, false, true);
      cv.fillConvexPoly(mask, hull, new cv.Scalar(255), cv.LINE_AA, fraction);
    }
    return { width, height, channels: 1, data: mask.data.slice() };
  });
}

/**
 * Distances from the middle of a face to the edge of an oval, as shares of the face's width and height. This oval
 * reaches from the shoulders to above the hair and limits a mask of people to heads.
 */
export const headOval = { across: 0.95, up: 1.05, down: 0.56 };
/** The oval that `censor` hides: a face with all that could identify it. */
export const faceOval = { across: 0.66, up: 0.72, down: 0.72 };

/** Returns 1 on an oval for each face, with a soft edge, at the size of `to`. */
export function ovals(to: Size, image: Size, faces: readonly Face[], { across, up, down }: typeof headOval): Plane {
  const out = plane(to.width, to.height);
  for (const { box } of faces) {
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let i = 0; i < out.data.length; i++) {
      const x = (((i % to.width) + 0.5) * image.width) / to.width - cx;
      const y = ((Math.floor(i / to.width) + 0.5) * image.height) / to.height - cy;
      const distance = Math.hypot(x / (across * box.width), y / ((y < 0 ? up : down) * box.height));
      out.data[i] = Math.max(out.data[i]!, ramp(1.04, 0.96, distance));
    }
  }
  return out;
}
