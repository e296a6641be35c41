/** A drawing in the SDK's words for endpoints like OpenAI's: its prompt in words, its mask with alpha. */
import { alphaMask } from './alpha-mask.ts';
import type { Drawing } from './drawing.ts';
import { imagePrompt } from './image-prompt.ts';

export async function askLikeOpenAI({ images, mask, size, providerOptions, ...rest }: Drawing) {
  const text = imagePrompt(rest);
  const files = images && {
    text,
    images: images.map(({ bytes }) => bytes),
    ...(mask && { mask: await alphaMask(mask, images[0]) }),
  };
  return { prompt: files ?? text, ...(size && { size }), ...(providerOptions && { providerOptions }) };
}
