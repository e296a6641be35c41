/** Reads the setting that selects where images are stored: a folder, or a bucket of an S3-compatible store. */
import { StartupError } from './startup-error.ts';

export type FilesLocation =
  | {
      kind: 'folder';
      /** Absolute path. */
      folder: string;
    }
  | {
      kind: 's3';
      bucket: string;
      /** Empty, or one or more path segments without a slash at either end. */
      prefix: string;
      /** Whether the bucket is part of the path of a URL instead of its host name. */
      pathStyle: boolean;
    };

const form = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;
const segment = /^(?!\.{1,2}$)[\w.=-]+$/;

/**
 * Returns the location that `ATELIER_FILES` names. The SDK's own variables set endpoint, region and credentials.
 * @throws StartupError that names the variable
 */
export function readFilesLocation(text: string, options: { folder: string; pathStyle: boolean }): FilesLocation {
  if (text === '') return { kind: 'folder', folder: options.folder };
  const [, bucket, rest = ''] = form.exec(text) ?? [];
  const prefix = rest.replace(/\/$/, '');
  const isValid = prefix === '' || prefix.split('/').every((part) => segment.test(part));
  if (bucket === undefined || !isValid) {
    // The value is not repeated, because it may contain credentials.
    throw new StartupError('ATELIER_FILES must be empty or an address such as s3://bucket or s3://bucket/prefix.');
  }
  return { kind: 's3', bucket, prefix, pathStyle: options.pathStyle };
}
