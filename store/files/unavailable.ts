/** The error of a store of files that does not work for now: unreachable, slow, overloaded, full, or refusing. */

/** Another attempt can succeed. The message contains no address, key or credential. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}
