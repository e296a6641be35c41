/** What models that draw by instruction are told: the prompt, and in words what they have no field for. */

export interface ImagePrompt {
  prompt?: string;
  /** What must not be seen. */
  negativePrompt?: string;
  /** Of a variation: 0 keeps the given image, 1 no more than its composition. */
  strength?: number;
}

/** @returns an empty text where there is nothing to say */
export function imagePrompt({ prompt, negativePrompt, strength }: ImagePrompt): string {
  const sentences = [
    strength !== undefined && `Make a variation of the given image. ${closeness(strength)}`,
    prompt,
    negativePrompt && `Do not show: ${negativePrompt}`,
  ];
  return sentences.filter(Boolean).join('\n\n');
}

const steps = [
  'Keep everything as it is but the finest details.',
  'Stay close to it: the same subject, colours and light, with small differences.',
  'Keep its subject and composition; vary details, colours and light.',
  'Keep its composition and the kind of subject; the rest may be different.',
  'Keep no more than its composition.',
] as const;

const closeness = (strength: number): string =>
  steps[Math.min(steps.length - 1, Math.floor(strength * steps.length))] ?? steps[0];
