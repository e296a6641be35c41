/** The tasks of models and their parameters. Each engine declares which tasks it supports. */
import type { OutputFormat } from './image.ts';
import type { EncodedStyle } from './style-dna.ts';
import type { Writing } from './writing.ts';

/** A prepared image: upright, sRGB, 8 bits per channel, without metadata. */
export interface InputImage {
  /** The encoded file: PNG or JPEG for an input image; PNG, JPEG or WebP for the result of an earlier call. */
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Pixels. */
  width: number;
  height: number;
}

/** A point in pixels from the top left corner of the upright image. `label` is 1 on the object, 0 beside it. */
export interface Point {
  x: number;
  y: number;
  label: 0 | 1;
}

/** Parameters of every task that makes an image. */
interface Making {
  nsfw: boolean;
  outputFormat: OutputFormat;
}

export interface TextToImage extends Making {
  prompt: string;
  negativePrompt: string | null;
  /** The id of a style of the family; null for the family's default look. */
  style: string | null;
  /** The style in words, for models that do not know its id. */
  styleWords?: string | null;
  /** Pixels. */
  width: number;
  height: number;
  /** 0–4294967295. A deterministic engine returns the same bytes for the same parameters and seed. */
  seed: number;
  transparentBackground: boolean;
  /** Whether a model without transparency may draw a background, which a later call removes. Default false. */
  backgroundMayStay?: boolean;
  /** Whether the image tiles: its opposite edges match. */
  seamless: boolean;
  /** The encoded style to apply; null for none. */
  styleDna?: EncodedStyle | null;
}

/** Varies an image, keeping its composition and size. */
export interface VaryImage extends Making {
  image: InputImage;
  prompt: string | null;
  style: string | null;
  styleWords?: string | null;
  /** From 0, which keeps the image, to 1, which keeps only its composition. */
  strength: number;
  seed: number;
  seamless: boolean;
}

/** Changes an image as an instruction says. */
export interface EditImage extends Making {
  image: InputImage;
  instruction: string;
  /** White where the image may change, black elsewhere; scaled to the image. */
  mask: InputImage | null;
  /** Aspect ratio of the result, such as `16:9`; null keeps the image's own. */
  aspectRatio: string | null;
  seed: number;
  /** The encoded style to apply; null for none. */
  styleDna?: EncodedStyle | null;
}

/** Restores the detail of the faces in an image. */
export interface RefineFace extends Making {
  image: InputImage;
}

/** Replaces the face of the target with the face of the source. */
export interface SwapFace extends Making {
  source: InputImage;
  target: InputImage;
}

export interface Upscale extends Making {
  image: InputImage;
  scale: 2 | 4;
}

/** Sharpens the detail of an image and enlarges the image by `scale`. */
export interface SharpenDetail extends Making {
  image: InputImage;
  scale: 1 | 2 | 4;
  /** Strength of the sharpening, from 0 to 1. */
  detail: number;
}

/** Makes the background of an image transparent. */
export interface RemoveBackground extends Making {
  image: InputImage;
}

/** Makes a mask that is white on the object that either a noun or points describe. */
export interface Segment extends Making {
  image: InputImage;
  prompt: string | null;
  points: Point[] | null;
}

/** Makes an 8-bit grayscale image of the same size, in which near is white. */
export interface EstimateDepth extends Making {
  image: InputImage;
}

/** Measures the style that one to four images share. The result is text: a `StyleMeasure` as JSON. */
export interface MeasureStyle {
  images: InputImage[];
  nsfw: boolean;
}

/** Prepares an input image for the engines. */
export interface PrepareImage {
  /** The field of the request, for messages to its client. */
  field: string;
  /** The original file. */
  file: Uint8Array;
  nsfw: boolean;
}

/** Estimates the probability that an image is not safe for work. */
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
