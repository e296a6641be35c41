/** Takes in what a request refers to: leaves a reference where an image's bytes were, finds the style it names, checks their sizes. */
import type { Operation } from '../schemas/operation.ts';
import { imageFields } from '../schemas/image-fields.ts';
import { readImageSource } from '../schemas/image-source.ts';
import { mostBytes } from '../schemas/image.ts';
import type { Size } from '../schemas/request.ts';
import type { EncodedStyle } from '../schemas/style-dna.ts';
import type { ApiKey } from '../store/entities.ts';
import { inputSource } from '../store/inputs.ts';
import { readPicture, refusePicture } from '../images/header.ts';
import { findStyle } from '../store/styles.ts';
import { findUpload } from '../store/uploads.ts';
import type { CreationDependencies } from './dependencies.ts';
import type { FieldError } from './problem.ts';

export interface Intake {
  /** The request with references in place of bytes. */
  body: Record<string, unknown>;
  /** Images that came with the request, by their references. */
  stored: Map<string, Uint8Array>;
  /** Of the upright images, by field; those of URLs are not known yet. */
  sizes: Record<string, Size>;
  /** The encoded style that it names. */
  style: EncodedStyle | null;
  failures: FieldError[];
}

type Looked = { source: string; size?: Size; bytes?: Uint8Array } | Omit<FieldError, 'path'>;

export const nothingTaken = (body: Record<string, unknown>): Intake => ({
  body,
  stored: new Map(),
  sizes: {},
  style: null,
  failures: [],
});

/**
 * Looks once at what a request refers to, but for what has failed as it is: a text of 30 MB, a list of 1000 images.
 * @param faults by the operation's schema
 * @returns `failures` has every reference that cannot be used, and what the operation's own check refuses
 */
export async function takeIn(
  deps: CreationDependencies,
  operation: Operation,
  key: ApiKey,
  request: Record<string, unknown>,
  faults: readonly FieldError[],
): Promise<Intake> {
  const hasFailed = (path: string) =>
    faults.some((fault) => fault.path === path || (fault.rule === 'maxItems' && path.startsWith(`${fault.path}/`)));
  const body = Object.fromEntries(
    Object.entries(request).map(([name, value]) => [name, Array.isArray(value) ? [...(value as unknown[])] : value]),
  );
  const stored: Intake['stored'] = new Map();
  const sizes: Record<string, Size> = {};
  const failures: FieldError[] = [];
  for (const { path, holder, name } of imageFields(operation.request, body)) {
    const text = holder[name];
    if (hasFailed(path) || typeof text !== 'string') continue;
    const looked = await look(deps, key, text);
    if ('rule' in looked) {
      failures.push({ path, ...looked });
      continue;
    }
    holder[name] = looked.source;
    if (looked.bytes) stored.set(looked.source, looked.bytes);
    if (looked.size) sizes[path.slice(1)] = looked.size;
  }
  const style = hasFailed('/styleDnaId') ? null : await findNamedStyle(deps, operation, key, body['styleDnaId']);
  if (style === undefined) {
    failures.push({ path: '/styleDnaId', rule: 'exists', message: 'names no encoded style that this key can use' });
  }
  if (operation.check && canCheck(operation, faults)) failures.push(...operation.check(body, sizes));
  return { body, stored, sizes, style: style ?? null, failures };
}

/** Fields that no check reads: they come with an artwork, and are not what its operation makes it of. */
const beside = ['webhookUrl', 'metadata'];

/** Whether a check would find what it reads as the schema says: no field that is the operation's own has failed. */
function canCheck({ request }: Operation, faults: readonly FieldError[]): boolean {
  return faults.every(({ path }) => {
    const field = path.split('/')[1];
    return field !== undefined && (beside.includes(field) || !Object.hasOwn(request.properties, field));
  });
}

/** @returns null where none is asked for, undefined where it is not there */
async function findNamedStyle(
  deps: CreationDependencies,
  { request }: Operation,
  key: ApiKey,
  id: unknown,
): Promise<EncodedStyle | null | undefined> {
  if (!('styleDnaId' in request.properties) || typeof id !== 'string') return null;
  return id.includes('\0') ? undefined : (await findStyle(deps.db, key, id))?.dna;
}

/** URLs are fetched after the 202, so nothing is known of them here. */
async function look(deps: CreationDependencies, key: ApiKey, text: string): Promise<Looked> {
  const source = readImageSource(text);
  if (source?.kind === 'data') return lookAtData(source.base64);
  if (source?.kind !== 'file') return { source: text };
  const upload = await findUpload(deps.db, key, source.id, new Date(deps.now()));
  if (!upload) return { rule: 'exists', message: 'names no file that this key can use, or it has expired' };
  return { source: text, size: { width: upload.width, height: upload.height } };
}

async function lookAtData(base64: string): Promise<Looked> {
  // 4 characters hold 3 bytes; a text that is too long is not decoded.
  if (base64.length > (mostBytes / 3) * 4 + 4) return { rule: 'maxBytes', message: 'has more than 20 MB' };
  const bytes = Buffer.from(base64, 'base64');
  const padding = base64.endsWith('==') ? 2 : Number(base64.endsWith('='));
  // The decoder leaves out what is no base64.
  if (bytes.byteLength !== Math.floor(((base64.length - padding) * 3) / 4)) {
    return { rule: 'base64', message: 'is not valid base64' };
  }
  const picture = await readPicture(bytes);
  if (!picture) return { rule: 'image', message: 'is not a PNG, JPEG or WebP image, or is damaged' };
  const refusal = refusePicture(picture, bytes.byteLength);
  if (refusal) return { rule: 'image', message: refusal };
  return { source: inputSource(bytes), size: { width: picture.width, height: picture.height }, bytes };
}
