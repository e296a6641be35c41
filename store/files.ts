/** Image files, grouped by owner: an artwork or an uploaded file. A purge removes all files of an owner. */
import type { Readable } from 'node:stream';
import type { FilesLocation } from '../runtime/files-location.ts';
import { openFolder } from './files/folder.ts';

/** Content that is not in memory. */
export interface Content {
  /** Opens the content from its start. Called again when a write is repeated. */
  open(): Readable;
  /** Number of bytes. */
  size: number;
}

/** Positions of the first and the last byte. */
export interface ByteRange {
  start: number;
  end: number;
}

/** How a presigned URL delivers a file. */
export interface Presentation {
  contentType: string;
  /** The header Content-Disposition. */
  disposition: string;
  /** Seconds until the URL expires. */
  expiresIn: number;
}

/** Files by owner and name. Every method throws `FilesUnavailable` while the store is unavailable. */
export interface Files {
  /** Writes a file atomically, or replaces it. Repeating a write is safe. @param owner the id of an artwork or an upload */
  write(owner: string, name: string, content: Uint8Array | Content): Promise<void>;
  /** Opens a file, or a part of it, as a stream. @returns null when there is no such file */
  read(owner: string, name: string, range?: ByteRange): Promise<Readable | null>;
  /** Reads a file into memory. @returns null when there is no such file */
  load(owner: string, name: string): Promise<Uint8Array | null>;
  /** Returns the number of bytes, or null when there is no such file. */
  size(owner: string, name: string): Promise<number | null>;
  /** Removes one file, if it exists. */
  delete(owner: string, name: string): Promise<void>;
  /** Removes all files of an owner, if there are any. */
  remove(owner: string): Promise<void>;
  /**
   * Checks that a result could be written, as far as that is possible without a write. Called before calls that cost
   * money. @throws FilesUnavailable when the folder is not writable or its disk is nearly full
   */
  checkSpace(): Promise<void>;
  /** Returns a URL that delivers a file without credentials of ours, or null when this store has no such URLs. */
  presign(owner: string, name: string, presentation: Presentation): Promise<string | null>;
  /** The origin of presigned URLs, or null. */
  readonly origin: string | null;
}

/**
 * Opens the files. Object storage is not contacted yet.
 * @param timeout milliseconds that a request to object storage may take, without the transfer of large files
 * @throws StartupError that names the variable to set when object storage has no region, credentials or valid endpoint
 */
export async function openFiles(location: FilesLocation, { timeout }: { timeout: number }): Promise<Files> {
  if (location.kind === 'folder') return openFolder(location.folder);
  // Loaded only when used: the SDK costs memory and time at startup.
  const { openBucket } = await import('./files/bucket.ts');
  return openBucket(location, timeout);
}
