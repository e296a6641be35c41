/** Request arguments of the AI SDK for image APIs that follow OpenAI's: the prompt as text, the mask as alpha. */
import { imagePrompt } from '../image-prompt.ts';
import type { ImageInput } from '../sdk-input.ts';
import { alphaMask } from './mask.ts';

export async function imageRequest({ images, mask, size, providerOptions, ...promptFields }: ImageInput) {
  const text = imagePrompt(promptFields);
  const edit = images && {
    text,
    images: images.map(({ bytes }) => bytes),
    ...(mask && { mask: await alphaMask(mask, images[0]) }),
  };
  return { prompt: edit ?? text, ...(size && { size }), ...(providerOptions && { providerOptions }) };
}
