/** What a model can be asked to do, and with which parameters. An engine states which of these it can. */
import type { OutputFormat } from './image.ts';
import type { EncodedStyle } from './style-dna.ts';
import type { Writing } from './writing.ts';

/** An image as an engine gets it: prepared, so upright, sRGB, 8 bits a channel, and without metadata. */
export interface InputImage {
  /** The encoded file: PNG or JPEG where it came with the request, WebP where an earlier call has made it so. */
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels. */
  width: number;
  height: number;
}

/** Pixels of the upright input, from its upper left corner. `label` 1 is on the object, 0 is not. */
export interface Point {
  x: number;
  y: number;
  label: 0 | 1;
}

/** What every task that makes an image takes. */
interface Making {
  nsfw: boolean;
  outputFormat: OutputFormat;
}

export interface TextToImage extends Making {
  prompt: string;
  negativePrompt: string | null;
  /** A style's id from the family's listing, or null for the family's own look. */
  style: string | null;
  /** The style in words, for models that do not know it by its id. */
  styleWords?: string | null;
  /** Pixels. */
  width: number;
  height: number;
  /** 0–4294967295. The same parameters and seed give the same bytes on an engine that can. */
  seed: number;
  transparentBackground: boolean;
  /** A model that cannot leave the background out may draw it: a later call of the plan removes it. Default false. */
  backgroundMayStay?: boolean;
  /** The left and right, top and bottom edges of the image meet. */
  seamless: boolean;
  /** An encoded style that the picture is to have; null for none. */
  styleDna?: EncodedStyle | null;
}

/** Turn an image into another one of the same composition and size. */
export interface VaryImage extends Making {
  image: InputImage;
  prompt: string | null;
  style: string | null;
  styleWords?: string | null;
  /** 0 keeps the image, 1 keeps no more than its composition. */
  strength: number;
  seed: number;
  seamless: boolean;
}

/** Change an image as an instruction says. */
export interface EditImage extends Making {
  image: InputImage;
  instruction: string;
  /** White where the image may change, black where not; scaled to the image. */
  mask: InputImage | null;
  /** Of the result, such as `16:9`; null keeps the image's own. */
  aspectRatio: string | null;
  seed: number;
  /** An encoded style that the result is to have; null for none. */
  styleDna?: EncodedStyle | null;
}

/** Clean up the details of the faces in an image. */
export interface RefineFace extends Making {
  image: InputImage;
}

/** Put the face of the source on the face of the target. */
export interface SwapFace extends Making {
  source: InputImage;
  target: InputImage;
}

export interface Upscale extends Making {
  image: InputImage;
  scale: 2 | 4;
}

/** Make the details of an image crisper, and the image larger by `scale`. */
export interface SharpenDetail extends Making {
  image: InputImage;
  scale: 1 | 2 | 4;
  /** 0 changes little, 1 the most. */
  detail: number;
}

/** Leave out all but the subject: an image with alpha. */
export interface RemoveBackground extends Making {
  image: InputImage;
}

/** A mask, white on the object that either a noun names or points describe. */
export interface Segment extends Making {
  image: InputImage;
  prompt: string | null;
  points: Point[] | null;
}

/** An 8-bit gray image of the same size: near is white. */
export interface EstimateDepth extends Making {
  image: InputImage;
}

/** Measure the style that one to four images share. The answer is text: a `StyleMeasure` as JSON. */
export interface MeasureStyle {
  images: InputImage[];
  nsfw: boolean;
}

/** Make an image that came from outside ready for engines. */
export interface PrepareImage {
  /** Of the request, for messages to its client. */
  field: string;
  /** The file as it came. */
  file: Uint8Array;
  nsfw: boolean;
}

/** Say how likely it is that an image is not safe for work. */
export interface JudgeImage {
  image: Uint8Array;
}

/** Every task by its name. */
export interface Tasks {
  'text-to-image': TextToImage;
  write: Writing;
  'vary-image': VaryImage;
  'edit-image': EditImage;
  'refine-face': RefineFace;
  'swap-face': SwapFace;
  upscale: Upscale;
  'sharpen-detail': SharpenDetail;
  'remove-background': RemoveBackground;
  segment: Segment;
  'estimate-depth': EstimateDepth;
  'measure-style': MeasureStyle;
  'prepare-image': PrepareImage;
  'judge-image': JudgeImage;
}

export type Task = keyof Tasks;
