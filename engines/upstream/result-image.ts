/** Converts a provider's image to the size, format and channels that the call requests. */
import { contentTypes } from '../../images/picture.ts';
import type { EngineCall, EngineImage, Remote } from '../contract/index.ts';
import { failureOf } from './failures.ts';
import { resultSize } from './result-size.ts';

/** Maximum bytes of a provider's image: a PNG of 64 megapixels that compresses badly. */
export const largestImage = 200 * 1024 * 1024;

/** Tasks whose result has one gray channel. */
const grayTasks: readonly EngineCall['task'][] = ['segment', 'estimate-depth'];

interface Options {
  /** The engine's name, for operators. */
  who: string;
  convertImage: Remote['convertImage'];
  signal: AbortSignal;
}

/**
 * Returns an image that already matches the call unchanged, and any other image converted.
 * @throws EngineError when the bytes are not an image, or not one that fits the call
 */
export async function conform(
  { who, convertImage, signal }: Options,
  file: Uint8Array,
  call: EngineCall,
  seed: number | null,
): Promise<EngineImage> {
  if (file.byteLength > largestImage) throw failureOf(who, 'image-too-large');
  const format = 'outputFormat' in call.params ? call.params.outputFormat : 'png';
  const size = resultSize(call.task, { ...call.params });
  const isGray = grayTasks.includes(call.task);
  const needs = { alpha: alphaOf(call), needsObject: call.task === 'segment' };
  const conversion = { to: 'result', format, size, isGray, ...needs } as const;
  const result = await convertImage(file, conversion, signal);
  if ('refused' in result) throw failureOf(who, result.refused);
  const { bytes, width, height } = result;
  return { bytes, contentType: contentTypes[format], width, height, seed };
}

function alphaOf({ task, params }: EngineCall): 'any' | 'channel' | 'transparent' {
  // A photo may have no background.
  if (task === 'remove-background') return 'channel';
  const isCutOut = 'transparentBackground' in params && params.transparentBackground && !params.backgroundMayStay;
  return isCutOut ? 'transparent' : 'any';
}
