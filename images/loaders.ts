/** Blocks the readers of libvips for formats that a process does not need. */
import sharp from 'sharp';

const formats = { png: 'Png', jpeg: 'Jpeg', webp: 'Webp', svg: 'Svg' } as const;

/**
 * Lets this process and its threads read only these formats, and only from memory. Each reader is an attack surface: an
 * SVG of 200 bytes can occupy a core for minutes.
 */
export function allowFormats(allowed: readonly (keyof typeof formats)[]): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: allowed.map((format) => `VipsForeignLoad${formats[format]}Buffer`) });
}
