/** Stores the demo's pictures beside the contact sheet, and prints a line for each artwork. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ArtworkEvent } from '../../schemas/artwork.ts';
import type { Picture } from './sheet.ts';

export interface Album {
  /** Runs a step, prints its outcome and counts it. */
  step(line: string, step: () => Promise<ArtworkEvent>): Promise<ArtworkEvent>;
  keep(name: string, bytes: Buffer, caption: string): Promise<Picture>;
  /** Stores the images of an artwork. */
  pictures(name: string, event: ArtworkEvent): Promise<Picture[]>;
  readonly counts: { made: number; failed: number };
}

export function openAlbum(folder: string): Album {
  const counts = { made: 0, failed: 0 };
  const keep = async (name: string, bytes: Buffer, caption: string) => {
    await writeFile(join(folder, name), bytes);
    return { file: name, bytes, caption };
  };
  return {
    counts,
    keep,
    async step(line, step) {
      const began = performance.now();
      const event = await step();
      const ok = event.status === 'SUCCEEDED';
      counts[ok ? 'made' : 'failed'] += 1;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${ok ? '✓' : '✗'} ${line} · ${seconds} s${ok ? '' : `: ${event.error?.message}`}`);
      return event;
    },
    pictures: (name, { images }) =>
      Promise.all(
        images.map(async ({ url, model, width, height, contentType }, nth) => {
          const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
          return keep(`${name}-${nth + 1}.${contentType.split('/')[1]}`, bytes, `${model} ${width}×${height}`);
        }),
      ),
  };
}
