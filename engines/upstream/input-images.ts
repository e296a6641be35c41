/** Puts in the place of each image of an input what a provider takes. */
import type { InputImage } from '../../schemas/tasks.ts';

/** @returns a copy of the same shape */
export async function placeImages(value: unknown, place: (image: InputImage) => Promise<string>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (isImage(value)) return place(value);
  if (Array.isArray(value)) return Promise.all(value.map((item) => placeImages(item, place)));
  const fields = Object.entries(value).map(async ([name, field]) => [name, await placeImages(field, place)] as const);
  return Object.fromEntries(await Promise.all(fields));
}

function isImage(value: object): value is InputImage {
  return 'bytes' in value && value.bytes instanceof Uint8Array;
}

export function dataUri({ bytes, contentType }: InputImage): string {
  return `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** As a form or an upload takes it. */
export function fileOf({ bytes, contentType }: InputImage): File {
  const name = `image.${contentType.slice('image/'.length)}`;
  return new File([bytes], name, { type: contentType });
}
