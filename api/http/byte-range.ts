/** Reads the part of a file that a request wants: the header Range. */
import type { ByteRange } from '../../store/files.ts';
import type { Request } from 'express';

interface File {
  /** Number of bytes. */
  size: number;
  etag: string;
}

/** Returns the requested range; null for the whole file, which is also sent when the request names several ranges. */
export function readRange(request: Request, { size, etag }: File): ByteRange | 'unsatisfiable' | null {
  const condition = request.get('if-range');
  if (condition !== undefined && condition !== etag) return null;
  const ranges = request.range(size);
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === undefined || ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}
