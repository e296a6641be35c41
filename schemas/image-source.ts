/**
 * Parses how a request refers to an image: by an https URL, a base64 data URI, or the id of an uploaded file. In an
 * accepted request, a data URI has become `sha256:<hex>`, which refers to bytes stored with the artwork.
 */
import { hostOf, isAllowedHost, longestAddress, refuseAddress } from './addresses.ts';

const fileId = /^file_[\w-]{1,64}$/;
const stored = /^sha256:([0-9a-f]{64})$/;
const dataUri = /^data:[\w.+/-]{0,64}(?:;[\w=.-]{1,64}){0,4};base64,/i;

export type ImageSource =
  | { kind: 'url'; url: string }
  | { kind: 'file'; id: string }
  | { kind: 'data'; base64: string }
  | { kind: 'stored'; sha256: string };

/** Returns null for text in none of these forms. */
export function readImageSource(text: string): ImageSource | null {
  if (fileId.test(text)) return { kind: 'file', id: text };
  const sha256 = stored.exec(text)?.[1];
  if (sha256) return { kind: 'stored', sha256 };
  if (/^https?:\/\//i.test(text)) return { kind: 'url', url: text };
  // Searches only the longest possible head (337 characters), because a text may have 30 MB.
  const head = dataUri.exec(text.slice(0, 400))?.[0];
  return head === undefined ? null : { kind: 'data', base64: text.slice(head.length) };
}

/** Returns what is wrong with an image field, as the end of a sentence that begins with its name; null if it is valid. */
export function refuseImageSource(text: string, allowedHosts: readonly string[]): string | null {
  const source = readImageSource(text);
  if (!source || source.kind === 'stored') {
    return 'must be an https URL, a data URI (data:image/png;base64,…), or the id of an uploaded file (file_…)';
  }
  return source.kind === 'url' ? refuseImageAddress(source.url, allowedHosts) : null;
}

/** Checks an image URL like every URL that the service calls; it must also be https unless the operator allowed its host. */
export function refuseImageAddress(address: string, allowedHosts: readonly string[]): string | null {
  if (address.length > longestAddress) return `must have at most ${longestAddress} characters`;
  const refusal = refuseAddress(address, allowedHosts);
  if (refusal) return refusal;
  const url = new URL(address);
  return url.protocol === 'https:' || isAllowedHost(hostOf(url), allowedHosts) ? null : 'must be an https URL';
}
