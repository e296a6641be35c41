/** Fits one face's mesh to another's: finds the source place and the opacity for each pixel of the target. */
import type { Point3 } from '../vision/mesh.ts';
import { align } from './align.ts';
import { browLine, clearances, depths, facing } from './anatomy.ts';
import type { Closeup } from './closeup.ts';
import { boxBlur } from '../pixels/blur.ts';
import { topology } from './topology.ts';
import { drawMesh } from './warp.ts';
import { clamp, smoothstep } from '../pixels/range.ts';

/** Planes of the target's size. */
export interface Fit {
  /** Place on the source, in pixels. */
  x: Float32Array;
  y: Float32Array;
  /** The same place on the face's other half. */
  mirroredX: Float32Array;
  mirroredY: Float32Array;
  /** Share taken from the other half, 0–1. */
  turned: Float32Array;
  /** Opacity over the target, 0–1. */
  share: Float32Array;
  /** 1 along the face's outline, where hair may hang over it; 0 inside and at the brows. */
  rim: Float32Array;
  /** Place on the unrolled face. */
  u: Float32Array;
  v: Float32Array;
}

/** Proportions of the features: 0 the target's, 1 the source's. */
const likeness = 0.75;

export function fit(source: Closeup, target: Closeup): Fit {
  const { flat, triangles, mirrored } = topology();
  const deep = depths();
  const top = browLine();
  const clear = clearances();
  const posed = align(source.points, target.points);
  const points = target.points.map((point, k): Point3 => {
    const own = posed[k]!;
    const pull = likeness * smoothstep(0.02, 0.12, deep[k]!);
    return [point[0] + pull * (own[0] - point[0]), point[1] + pull * (own[1] - point[1]), point[2]];
  });
  const [shown, seen] = [facing(points), facing(source.points)];
  const [across, down] = [source.points.map((point) => point[0]), source.points.map((point) => point[1])];
  const values = {
    x: across,
    y: down,
    mirroredX: mirrored.map((k) => across[k]!),
    mirroredY: mirrored.map((k) => down[k]!),
    // Parts that the source hides because the head is turned.
    turned: seen.map((own, k) => (1 - smoothstep(0.2, 0.5, own)) * smoothstep(0.1, 0.3, seen[mirrored[k]!]! - own)),
    // The forehead keeps its shape: the new face begins above the brows and ends where the head turns away.
    share: flat.map(
      ([u, v], k) => edge(deep[k]!, u, v) * smoothstep(top - 0.1, top - 0.02, v) * smoothstep(0.05, 0.35, shown[k]!),
    ),
    rim: flat.map((_, k) => (1 - smoothstep(0.1, 0.18, deep[k]!)) * smoothstep(0.025, 0.06, clear[k]!)),
    u: flat.map(([u]) => u),
    v: flat.map(([, v]) => v),
  };
  const { width, height } = target.image;
  const { covered, planes } = drawMesh(points, triangles, values, width, height);
  feather(planes.share, covered, width, height);
  return planes;
}

/** Fades towards cheeks and temples, where hair begins, but less at the chin, which matters for likeness. */
function edge(deep: number, u: number, v: number): number {
  const chin = smoothstep(0.55, 0.75, v) * (1 - smoothstep(0.1, 0.25, Math.abs(u - 0.5)));
  return smoothstep(0.02 - 0.01 * chin, 0.11 - 0.05 * chin, deep);
}

/** Softens the share towards the end of the covered area, but not at the image's edge. */
function feather(share: Float32Array, covered: Uint8Array, width: number, height: number): void {
  const radius = Math.max(1, Math.round(Math.max(width, height) * 0.02));
  const soft = boxBlur(Float32Array.from(covered), width, height, radius, 2);
  for (let at = 0; at < share.length; at++) share[at]! *= clamp(2 * soft[at]! - 1);
}
