/** What an instruction comes down to: edits in the order in which they are done. */

/** Display space, 0–1. */
export type Tone = readonly [number, number, number];

/** Where an edit applies: a noun that a mask can be found for, or all but it. */
export interface Where {
  noun: string;
  outside?: boolean;
}

/** `percent` of the picture's size, on each side. */
export interface Sides {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Changes of light and colour that need to know no more than the pixel itself. */
export type GradeEdit =
  | { kind: 'exposure'; stops: number }
  | { kind: 'contrast'; amount: number }
  | { kind: 'shadows'; amount: number }
  | { kind: 'highlights'; amount: number }
  | { kind: 'temperature'; amount: number }
  | { kind: 'saturation'; factor: number }
  | { kind: 'tint'; colour: Tone; amount: number }
  | { kind: 'monochrome' }
  | { kind: 'sepia'; amount: number }
  | { kind: 'vintage'; amount: number }
  | { kind: 'invert' };

/** Changes that look at a pixel's surroundings or its place. */
export type DetailEdit =
  | { kind: 'auto' }
  | { kind: 'blur'; amount: number }
  | { kind: 'sharpen'; amount: number }
  | { kind: 'denoise'; amount: number }
  | { kind: 'clarity'; amount: number }
  | { kind: 'vignette'; amount: number }
  | { kind: 'grain'; amount: number }
  | { kind: 'pixelate'; amount: number };

export type ObjectEdit =
  | { kind: 'recolour'; colour: Tone }
  | { kind: 'remove' }
  | { kind: 'censor'; how: 'blur' | 'pixelate' }
  | { kind: 'defocus'; amount: number }
  | { kind: 'backdrop'; fill: Tone | 'transparent' | { scene: string } };

export type FrameEdit =
  | { kind: 'crop'; ratio: string }
  | { kind: 'crop'; to: string }
  | { kind: 'crop'; zoom: number }
  | { kind: 'crop'; off: Sides }
  | { kind: 'extend'; ratio: string }
  | { kind: 'extend'; by: Sides }
  | { kind: 'rotate'; degrees: number }
  | { kind: 'straighten' }
  | { kind: 'flip'; axis: 'horizontal' | 'vertical' }
  | { kind: 'resize'; factor: number };

export type LocalEdit = (GradeEdit | DetailEdit | ObjectEdit) & { where?: Where };
export type Edit = LocalEdit | FrameEdit;
