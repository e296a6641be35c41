/** Messages to clients for failures that several engines have, so that a failure reads the same wherever it happens. */

/** @param where such as `the source image` */
export const noFace = (where = 'the image'): string => `No face was found in ${where}.`;

/** @param noun null for points */
export const nothingFound = (noun: string | null): string =>
  noun === null ? 'No object was found at the points.' : `Nothing in the image matches "${noun}".`;
