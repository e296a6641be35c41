/** Finds the images in a request: the fields whose schema says that they name one. */
import type { TObject } from 'typebox';

/** The format of a field that names an image; see `image-source.ts` for what it may say. */
export const imageFormat = 'image-source';

export interface ImageField {
  /** JSON pointer. */
  path: string;
  /** The client's value: a text, once the body is valid. */
  value: unknown;
  /** Replaces the value in the body. */
  replace(source: string): void;
}

interface FieldSchema {
  format?: string;
  items?: { format?: string };
}

/** @param body checked against the schema */
export function imageFields(schema: TObject, body: Record<string, unknown>): ImageField[] {
  return Object.entries(schema.properties as Record<string, FieldSchema>).flatMap(([field, { format, items }]) => {
    const value = body[field];
    if (value === undefined) return [];
    if (format === imageFormat) {
      return [{ path: `/${field}`, value, replace: (source: string) => void (body[field] = source) }];
    }
    if (items?.format !== imageFormat || !Array.isArray(value)) return [];
    const list: unknown[] = value;
    return list.map((item, index) => ({
      path: `/${field}/${index}`,
      value: item,
      replace: (source: string) => void (list[index] = source),
    }));
  });
}
