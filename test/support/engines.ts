/** Writes an engines file that binds models to fakes of providers. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import type { BindingEntry, EngineEntry, EnginesFile } from '../../schemas/engines-file.ts';

export const apiKey = 'sk-a-key-that-nobody-may-see';

/** Writes the file and returns the environment variables for a stack that reads it. @param folder folder of the file */
export function enginesEnv(folder: string, file: EnginesFile): NodeJS.ProcessEnv {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.json`);
  writeFileSync(path, JSON.stringify(file, null, 2));
  return { ATELIER_ENGINES: path, FAKE_KEY: apiKey };
}

/** Returns the entry of an engine whose provider is a fake. */
export const at = (
  protocol: EngineEntry['protocol'],
  { url }: { url: string },
  rate?: EngineEntry['rate'],
): EngineEntry => ({ protocol, key: 'FAKE_KEY', baseUrl: url, ...(rate && { rate }) });

/** `selena` at fal. */
export const flux: BindingEntry = {
  engine: 'fal',
  model: 'fal-ai/flux/dev',
  input: {
    prompt: { from: 'styledPrompt' },
    image_size: { width: { from: 'width' }, height: { from: 'height' } },
    seed: { from: 'seed' },
    enable_safety_checker: { from: 'nsfw', values: { true: false, false: true } },
  },
  output: { images: '/images/*/url', seed: '/seed' },
};

/** `remove-background` at fal. */
export const birefnet: BindingEntry = {
  engine: 'fal',
  model: 'fal-ai/birefnet',
  input: { image_url: { from: 'image' } },
  output: { images: '/image/url' },
};

/** `selena` at Replicate. */
export const schnell: BindingEntry = {
  engine: 'replicate',
  model: 'black-forest-labs/flux-schnell',
  input: { prompt: { from: 'styledPrompt' }, aspect_ratio: { from: 'aspectRatio', nearest: ['1:1', '16:9', '9:16'] } },
  output: { images: '/*' },
};

/** `hamilton` on ComfyUI, with the workflow in `docs/engines/`. */
export const sdxl: BindingEntry = {
  engine: 'comfyui',
  model: fileURLToPath(new URL('../../docs/engines/comfyui/text-to-image.json', import.meta.url)),
  input: {
    checkpoint: 'sd_xl_base_1.0.safetensors',
    prompt: { from: 'styledPrompt' },
    negative: { from: 'negativePrompt', default: '' },
    width: { from: 'width' },
    height: { from: 'height' },
    seed: { from: 'seed' },
  },
};
