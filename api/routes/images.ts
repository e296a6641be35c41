/** Serves image files by their signed links: sends them, or redirects to a presigned URL of the object storage. */
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { within } from '../../runtime/deadline.ts';
import { codeOf } from '../../runtime/error-code.ts';
import { Problem } from '../../services/problem.ts';
import type { Image } from '../../store/entities.ts';
import { findImage } from '../../store/results.ts';
import type { Dependencies } from '../dependencies.ts';
import { readRange } from '../http/byte-range.ts';
import type { Handler } from '../http/handler.ts';

/** Maximum lifetime of a presigned URL in seconds. Short, because the URL cannot be revoked. */
const longestPresigned = 15 * 60;

/** Seconds before a presigned URL expires at which browsers stop reusing the redirect to it. */
const redirectMargin = 60;

export function readImage(deps: Dependencies): Handler<'readImage'> {
  return async ({ request, response, params: { artworkId, name } }) => {
    const { expires, signature } = request.query;
    const isComplete = typeof expires === 'string' && typeof signature === 'string';
    if (!isComplete || !deps.links.check(artworkId, name, expires, signature, deps.now())) throw notFound();
    const image = await findImage(deps.db, artworkId, name);
    if (!image) throw notFound();
    const link = { image, secondsLeft: Math.floor((Number(expires) * 1000 - deps.now()) / 1000) };

    // `request.fresh` compares the request with the ETag of the response.
    response.set('ETag', etagOf(image));
    if (request.fresh) return void response.set(headersOf(link)).status(304).end();
    // The ETag belongs to the file, not to a redirect or an error.
    response.removeHeader('ETag');
    // A presigned URL works for GET only.
    if (request.method === 'HEAD') {
      return void response.set({ ...headersOf(link), 'Content-Length': String(image.bytes) }).end();
    }
    const isRedirected = deps.config.links === 'redirect' && (await redirect(deps, response, link));
    if (!isRedirected) await send(deps, request, response, link);
  };
}

interface Link {
  image: Image;
  /** Seconds until the link expires. */
  secondsLeft: number;
}

/** Redirects to a presigned URL. @returns false when the store has no such URLs */
async function redirect({ files }: Dependencies, response: Response, { image, secondsLeft }: Link): Promise<boolean> {
  // A presigned URL needs a lifetime of at least a second.
  const expiresIn = Math.max(Math.min(secondsLeft, longestPresigned), 1);
  const { contentType, artwork, name } = image;
  const url = await files.presign(artwork, name, { contentType, disposition: dispositionOf(image), expiresIn });
  if (url === null) return false;
  response.set({
    'Cache-Control': `private, max-age=${Math.max(expiresIn - redirectMargin, 0)}`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  });
  response.redirect(302, url);
  return true;
}

async function send({ files }: Dependencies, request: Request, response: Response, link: Link): Promise<void> {
  const { artwork, name, bytes } = link.image;
  const range = readRange(request, { size: bytes, etag: etagOf(link.image) });
  if (range === 'unsatisfiable') return void response.set('Content-Range', `bytes */${bytes}`).status(416).end();
  const file = await files.read(artwork, name, range ?? undefined);
  if (!file) throw notFound();
  await firstBytes(file);
  response.set(headersOf(link));
  if (range) {
    const { start, end } = range;
    response.status(206).set('Content-Range', `bytes ${start}-${end}/${bytes}`);
    response.set('Content-Length', String(end - start + 1));
  } else response.set('Content-Length', String(bytes));
  await pipeline(file, response).catch((err: unknown) => {
    response.destroy();
    if (!isDisconnect(err)) request.log.warn({ err }, 'A download failed before its end');
  });
}

/** Waits for the first bytes, because an error after the headers is no 503. @throws Problem `unavailable` */
async function firstBytes(file: Readable): Promise<void> {
  try {
    await within(Infinity, (signal) => once(file, 'readable', { signal }));
  } catch (cause) {
    // Without a listener, a late error would end the process.
    file.on('error', () => undefined).destroy();
    throw new Problem('unavailable', { cause });
  }
}

/** Returns whether a response ended early because its client disconnected, which is no error. */
const isDisconnect = (error: unknown): boolean => codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE';

const headersOf = ({ image, secondsLeft }: Link) => ({
  ETag: etagOf(image),
  'Content-Type': image.contentType,
  'Content-Disposition': dispositionOf(image),
  'Accept-Ranges': 'bytes',
  'Cache-Control': `private, max-age=${secondsLeft}, immutable`,
  // Other sites may show the image.
  'Cross-Origin-Resource-Policy': 'cross-origin',
});

const etagOf = ({ sha256 }: Image): string => `"${sha256}"`;

/** Names of files have only letters, digits, `.`, `-` and `_`. */
const dispositionOf = ({ artwork, name }: Image): string => `inline; filename="${artwork}-${name}"`;

const notFound = () => new Problem('not_found', { message: 'This link is not valid, or the image has expired.' });
