/** Reads the images and the style that a request refers to, and checks what depends on them. */
import type { Operation } from '../schemas/operation.ts';
import { imageFields } from '../schemas/image-fields.ts';
import { readImageSource } from '../schemas/image-source.ts';
import { maxImageBytes } from '../schemas/image.ts';
import type { Size } from '../schemas/request.ts';
import type { EncodedStyle } from '../schemas/style-dna.ts';
import type { ApiKey } from '../store/entities.ts';
import { inputSource } from '../store/inputs.ts';
import { readPicture, refusePicture } from '../images/header.ts';
import { findStyle } from '../store/styles.ts';
import { findUpload } from '../store/uploads.ts';
import type { CreationDependencies } from './dependencies.ts';
import type { FieldError } from './problem.ts';

export interface References {
  /** The request, with digests in place of images that came inside it. */
  body: Record<string, unknown>;
  /** The images that came inside the request, by their digests. */
  images: Map<string, Uint8Array>;
  /** Sizes of the upright images, by field. The sizes of images behind URLs are not known yet. */
  sizes: Record<string, Size>;
  /** The encoded style that the request names. */
  style: EncodedStyle | null;
}

/**
 * Reads the references of a request. Skips fields that failed validation, which may have 30 MB or 1000 images.
 * @param invalid the failures that validation has found
 * @returns also `failures`: every reference that cannot be used, and the failures of the operation's own check
 */
export async function readReferences(
  deps: CreationDependencies,
  operation: Operation,
  key: ApiKey,
  request: Record<string, unknown>,
  invalid: readonly FieldError[],
): Promise<References & { failures: FieldError[] }> {
  const hasFailed = (path: string) =>
    invalid.some((fault) => fault.path === path || (fault.rule === 'maxItems' && path.startsWith(`${fault.path}/`)));
  const body = Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, Array.isArray(value) ? [...(value as unknown[])] : value]),
  );
  const images: References['images'] = new Map();
  const sizes: References['sizes'] = {};
  const failures: FieldError[] = [];
  for (const { path, value, replace } of imageFields(operation.request, body)) {
    if (hasFailed(path) || typeof value !== 'string') continue;
    const image = await readImage(deps, key, value);
    if ('rule' in image) {
      failures.push({ path, ...image });
      continue;
    }
    replace(image.source);
    if (image.bytes) images.set(image.source, image.bytes);
    if (image.size) sizes[path.slice(1)] = image.size;
  }
  const style = hasFailed('/styleDnaId') ? null : await findNamedStyle(deps, operation, key, body['styleDnaId']);
  if (style === undefined) {
    failures.push({ path: '/styleDnaId', rule: 'exists', message: 'names no encoded style that this key can use' });
  }
  if (operation.check && canCheck(operation, invalid)) failures.push(...operation.check(body, sizes));
  return { body, images, sizes, style: style ?? null, failures };
}

/** Fields that no operation's `check` reads. It can run even if they are not valid. */
const uncheckedFields = ['webhookUrl', 'metadata'];

/** Returns whether every field that a check may read is valid. */
function canCheck({ request }: Operation, invalid: readonly FieldError[]): boolean {
  return invalid.every(({ path }) => {
    const field = path.split('/')[1];
    return field !== undefined && (uncheckedFields.includes(field) || !Object.hasOwn(request.properties, field));
  });
}

/** Returns null when the request names no style, and undefined when the style does not exist for this key. */
async function findNamedStyle(
  deps: CreationDependencies,
  { request }: Operation,
  key: ApiKey,
  id: unknown,
): Promise<EncodedStyle | null | undefined> {
  if (!('styleDnaId' in request.properties) || typeof id !== 'string') return null;
  return id.includes('\0') ? undefined : (await findStyle(deps.db, key, id))?.dna;
}

type ReadImage = { source: string; size?: Size; bytes?: Uint8Array } | Omit<FieldError, 'path'>;

/** Reads an image of the request. The worker fetches URLs after the 202, so this function does not read them. */
async function readImage(deps: CreationDependencies, key: ApiKey, text: string): Promise<ReadImage> {
  const source = readImageSource(text);
  if (source?.kind === 'data') return readDataUri(source.base64);
  if (source?.kind !== 'file') return { source: text };
  const upload = await findUpload(deps.db, key, source.id, 'read', new Date(deps.now()));
  if (!upload) return { rule: 'exists', message: 'names no file that this key can use, or the file has expired' };
  return { source: text, size: { width: upload.width, height: upload.height } };
}

/** Reads an image in base64. */
export function readDataUri(base64: string): ReadImage {
  // 4 characters hold 3 bytes. A text that is too long is not decoded.
  if (base64.length > (maxImageBytes / 3) * 4 + 4)
    return { rule: 'maxBytes', message: 'must not be larger than 20 MB' };
  const bytes = Buffer.from(base64, 'base64');
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  // The decoder skips characters that are not base64.
  if (bytes.byteLength !== Math.floor(((base64.length - padding) * 3) / 4)) {
    return { rule: 'base64', message: 'is not valid base64' };
  }
  const picture = readPicture(bytes);
  if (!picture) return { rule: 'image', message: 'is not a PNG, JPEG or WebP image, or is damaged' };
  const refusal = refusePicture(picture, bytes.byteLength);
  if (refusal) return { rule: 'image', message: refusal };
  return { source: inputSource(bytes), size: { width: picture.width, height: picture.height }, bytes };
}
