/** Finds the images in a request: the fields whose schema says that they name one. */
import type { TObject } from 'typebox';

/** The format of a field that names an image; see `image-source.ts` for what it may say. */
export const imageFormat = 'image-source';

export interface ImageField {
  /** JSON pointer. */
  path: string;
  /** What holds the field, and its name there: `holder[name]` is the text. */
  holder: Record<string, unknown>;
  name: string;
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
    if (format === imageFormat) return [{ path: `/${field}`, holder: body, name: field }];
    if (items?.format !== imageFormat || !Array.isArray(value)) return [];
    const holder = value as unknown as Record<string, unknown>;
    return value.map((_, index) => ({ path: `/${field}/${index}`, holder, name: String(index) }));
  });
}
