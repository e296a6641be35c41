/** Finds the fields of a request that refer to images, by their schema. */
import type { TObject } from 'typebox';

/** The JSON Schema format of a field that refers to an image; see `image-source.ts` for its values. */
export const imageFormat = 'image-source';

export interface ImageField {
  /** JSON pointer. */
  path: string;
  /** The client's value: a string if the body is valid. */
  value: unknown;
  /** Replaces the value in the body. */
  replace(source: string): void;
}

interface FieldSchema {
  format?: string;
  items?: { format?: string };
}

/** Returns whether a request of this schema has fields that refer to images, lists included. */
export function acceptsImages({ properties }: TObject): boolean {
  const fields = Object.values(properties as Record<string, FieldSchema>);
  return fields.some(({ format, items }) => format === imageFormat || items?.format === imageFormat);
}

/** Returns the fields of a request that refer to images, list items included. @param body may be invalid */
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
