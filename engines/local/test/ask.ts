/** Shared by the tests of the local engine: a call with defaults, and the pixels of its result. */
import sharp from 'sharp';
import type { Engine, EngineImage, TextToImage } from '../../contract/index.ts';

export const params = (given: Partial<TextToImage> = {}): TextToImage => ({
  prompt: 'a red fox in a snowy forest at dawn',
  negativePrompt: null,
  style: null,
  width: 256,
  height: 256,
  seed: 7,
  transparentBackground: false,
  seamless: false,
  nsfw: false,
  outputFormat: 'png',
  ...given,
});

export async function picture(
  engine: Engine,
  given: Partial<TextToImage> = {},
  model = 'selena',
): Promise<EngineImage> {
  const result = await engine.run(
    { model, idempotencyKey: 'test', task: 'text-to-image', params: params(given) },
    { signal: new AbortController().signal },
  );
  const image = result.images?.[0];
  if (!image) throw new Error('no image');
  return image;
}

/** Score above which the service rejects an image. */
export const judgeThreshold = 0.8;

/** Returns how explicit an image is, 0–1. */
export async function judge(engine: Engine, image: Uint8Array): Promise<number> {
  const { nsfw } = await engine.run(
    { model: 'judge', idempotencyKey: 'test', task: 'judge-image', params: { image } },
    { signal: new AbortController().signal },
  );
  return nsfw!;
}

export interface Pixels {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly format: string;
}

export async function pixels(image: Pick<EngineImage, 'bytes'>): Promise<Pixels> {
  const { format } = await sharp(image.bytes).metadata();
  const { data, info } = await sharp(image.bytes).raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels, format };
}

/** A constant, because looking up a global takes a hundred times as long in Jest's realm. */
const { abs } = Math;

/** Mean difference of colour, 0–255. */
export function distance(a: Pixels, b: Pixels): number {
  let sum = 0;
  // Every 13th value is enough, and covers all channels.
  for (let i = 0; i < a.data.length; i += 13) sum += abs(a.data[i]! - b.data[i]!);
  return (sum * 13) / a.data.length;
}
