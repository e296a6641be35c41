/** Replaces each image in an input by what a provider accepts. */
import type { InputImage } from '../contract/index.ts';

/** Returns a copy of the same shape. @param replace returns a URL, a data URI or a file name for an image */
export async function replaceImages(value: unknown, replace: (image: InputImage) => Promise<string>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (isImage(value)) return replace(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => replaceImages(item, replace)));
  const fields = Object.entries(value).map(
    async ([name, field]) => [name, await replaceImages(field, replace)] as const,
  );
  return Object.fromEntries(await Promise.all(fields));
}

function isImage(value: object): value is InputImage {
  return 'bytes' in value && value.bytes instanceof Uint8Array;
}

export function dataUri({ bytes, contentType }: InputImage): string {
  return `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** Returns the image as a file for a form or an upload. */
export function fileOf({ bytes, contentType }: InputImage): File {
  const name = `image.${contentType.slice('image/'.length)}`;
  return new File([bytes], name, { type: contentType });
}
