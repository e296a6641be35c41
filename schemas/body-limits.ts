/** Limits the size of a JSON request body by its schema: only images are long. */
import type { TObject } from 'typebox';
import { acceptsImages } from './image-fields.ts';

export interface BodyLimit {
  /** Maximum bytes of the body. */
  bytes: number;
  /** The maximum as error messages and documentation write it, such as `64 KB`. */
  text: string;
  /** How a client can send less. */
  remedy: string;
}

/** Bodies that can contain images as data URIs. */
export const imageBody: BodyLimit = {
  bytes: 30 * 1024 * 1024,
  text: '30 MB',
  remedy: 'Send images as URLs, or as ids of uploaded files.',
};

/** Other bodies. Every valid one fits whose characters take at most three bytes each, as they do in UTF-8 without emoji. */
export const textBody: BodyLimit = {
  bytes: 64 * 1024,
  text: '64 KB',
  remedy: String.raw`Shorten its texts, or send their characters as UTF-8 instead of \u escapes. This endpoint takes no images.`,
};

/** Returns the limit of a request body. @param schema that of the body */
export const limitBody = (schema: TObject): BodyLimit => (acceptsImages(schema) ? imageBody : textBody);
