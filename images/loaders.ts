/** Blocks the readers of libvips for formats that a process does not need. */
import sharp from 'sharp';

const formats = { png: 'Png', jpeg: 'Jpeg', webp: 'Webp', svg: 'Svg' } as const;

/**
 * Lets this process and its threads read only these formats, and only from memory. Each reader is an attack surface: the
 * header of an SVG of 1 KB can occupy a core for seconds.
 */
export function allowFormats(allowed: readonly (keyof typeof formats)[]): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: allowed.map((format) => `VipsForeignLoad${formats[format]}Buffer`) });
}
