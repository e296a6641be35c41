/** Meaning of the Gemini API's error codes and of its reasons for a response without an image. */
import type { Failure } from '../failures.ts';

/** Google reports a wrong key, and a free key in a region without a free tier, with status 400. */
export const googleCodes: readonly (readonly [code: string, failure: Failure])[] = [
  ['API_KEY_INVALID', 'key-rejected'],
  ['FAILED_PRECONDITION', 'payment-required'],
];

/** Values of `FinishReason` that concern the content. */
const contentReasons = new Set([
  ...['SAFETY', 'IMAGE_SAFETY', 'PROHIBITED_CONTENT', 'IMAGE_PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'],
  ...['RECITATION', 'IMAGE_RECITATION'],
]);

/**
 * Returns whether Google refused the content in a response with status 200 and no image. A blocked prompt always has a
 * `blockReason`; blocked output has a finish reason.
 * @param metadata `providerMetadata.google` of the AI SDK's result
 */
export function isRefused(metadata: unknown): boolean {
  const { promptFeedback, finishReason } = Object(metadata) as Record<string, unknown>;
  const { blockReason } = Object(promptFeedback) as Record<string, unknown>;
  return Boolean(blockReason) || contentReasons.has(String(finishReason));
}
