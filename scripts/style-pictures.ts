/** `node scripts/style-pictures.ts`: draws the playground's thumbnails of styles with the embedded engine. */
import { mkdir, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { draw } from '../engines/local/sketch/draw.ts';
import { hamilton } from '../schemas/families/hamilton.ts';
import { quantum } from '../schemas/families/quantum.ts';
import { selena } from '../schemas/families/selena.ts';

const folder = new URL('../api/playground/styles/', import.meta.url);
const prompt = 'a lighthouse on a cliff at dusk, gulls over the sea';
const shape = { width: 512, height: 512, seed: 7, transparentBackground: false, outputFormat: 'png' } as const;

/** Pixels per side; enough for screens with two pixels per CSS pixel. */
const side = 144;

await mkdir(folder, { recursive: true });
for (const { family, styles } of [selena, quantum, hamilton]) {
  for (const { id, seamless } of styles) {
    const params = { nsfw: false, prompt, negativePrompt: null, style: id, seamless, ...shape } as const;
    const picture = sharp(await draw(family, params)).resize(side, side);
    await writeFile(new URL(`${id}.webp`, folder), await picture.webp({ quality: 60 }).toBuffer());
  }
}
