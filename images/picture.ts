/** Describes an image file by its header. */

/** The formats that the service reads, with their content types. */
export const contentTypes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const;

export type Format = keyof typeof contentTypes;

export interface Picture {
  contentType: (typeof contentTypes)[Format];
  /** Pixels, with the EXIF orientation applied. */
  width: number;
  height: number;
  animated: boolean;
}

/** Segments or chunks of a header that are read. A file of 20 MB can have millions; a real one has less than a hundred. */
export const maxParts = 10_000;

/** The fields of a header. */
export interface Header {
  /** Pixels as they are stored. */
  width: number;
  height: number;
  /** EXIF orientation, from 1 to 8. */
  orientation: number;
  animated: boolean;
}

/**
 * Reads the header of a file of one format. Returns null when the header is damaged, and `incomplete` when the bytes end
 * too early.
 */
export type HeaderReader = (bytes: Buffer) => Header | 'incomplete' | null;
