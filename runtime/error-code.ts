/** The codes of Node's errors, such as ENOENT. */

/** Returns the code of an error; undefined when it has none. */
export const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
