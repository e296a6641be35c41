/** Text for models that follow instructions: the prompt, and in words the fields that these models do not have. */

export interface ImagePrompt {
  prompt?: string;
  /** What the image must not show. */
  negativePrompt?: string;
  /** Strength of a variation: 0 keeps the given image, 1 keeps only its composition. */
  strength?: number;
}

/** Returns an empty text when no field is set. */
export function imagePrompt({ prompt, negativePrompt, strength }: ImagePrompt): string {
  const sentences = [
    strength !== undefined && `Make a variation of the given image. ${strengthInWords(strength)}`,
    prompt,
    negativePrompt && `Do not show: ${negativePrompt}`,
  ];
  return sentences.filter(Boolean).join('\n\n');
}

const strengths = [
  'Keep everything as it is but the finest details.',
  'Stay close to it: the same subject, colours and light, with small differences.',
  'Keep its subject and composition; vary details, colours and light.',
  'Keep its composition and the kind of subject; the rest may be different.',
  'Keep no more than its composition.',
] as const;

const strengthInWords = (strength: number): string =>
  strengths[Math.min(strengths.length - 1, Math.floor(strength * strengths.length))] ?? strengths[0];
