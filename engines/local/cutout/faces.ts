/** Draws the likelihoods of faces and heads from detected faces. */
import { inOpenCv } from '../pixels/opencv.ts';
import { fractions, type Plane, plane } from '../pixels/plane.ts';
import { fitting } from '../pixels/resize.ts';
import type { Raster } from '../raster.ts';
import type { Face } from '../vision/faces.ts';

/** Longer side of a plane of faces, in pixels. */
const longest = 1024;
/** Fractional bits of the coordinates of OpenCV's drawing functions. */
const fraction = 4;

/** Returns 1 inside the outline of each mesh, with an edge that is soft over one pixel. */
export function facePlane(image: Raster<3 | 4>, faces: readonly Face[]): Plane {
  const { width, height } = fitting(image, longest, 3);
  const drawn = inOpenCv(({ cv, bytes, empty }) => {
    const mask = bytes(new Uint8Array(width * height), width, height);
    for (const { mesh } of faces) {
      const points = empty(mesh.length, 1, cv.CV_32SC2);
      mesh.forEach(([x, y], k) => {
        points.data32S[2 * k] = Math.round(((x * width) / image.width - 0.5) * 2 ** fraction);
        points.data32S[2 * k + 1] = Math.round(((y * height) / image.height - 0.5) * 2 ** fraction);
      });
      const hull = empty();
      cv.convexHull(points, hull, false, true);
      cv.fillConvexPoly(mask, hull, new cv.Scalar(255), cv.LINE_AA, fraction);
    }
    return mask.data.slice();
  });
  return plane(width, height, fractions(drawn));
}

/** Returns 1 on an oval for each head, from the shoulders to above the hair; limits a mask of people to heads. */
export function headPlane({ width, height }: Plane, image: Raster<3 | 4>, faces: readonly Face[]): Plane {
  const out = plane(width, height);
  for (const { box } of faces) {
    const [rx, up, down] = [0.95 * box.width, 1.05 * box.height, 0.56 * box.height];
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
    for (let i = 0; i < out.data.length; i++) {
      const x = (((i % width) + 0.5) * image.width) / width - cx;
      const y = ((Math.floor(i / width) + 0.5) * image.height) / height - cy;
      if ((x / rx) ** 2 + (y / (y < 0 ? up : down)) ** 2 <= 1) out.data[i] = 1;
    }
  }
  return out;
}
