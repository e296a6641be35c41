/** Serves image files by their signed links. */
import { pipeline } from 'node:stream/promises';
import { Problem } from '../../services/problem.ts';
import { findImage } from '../../store/results.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler } from '../http/handler.ts';

export function readImage(deps: Dependencies): Handler<'readImage'> {
  return async ({ request, response, params: { artworkId, name } }) => {
    const { expires, signature } = request.query;
    const isComplete = typeof expires === 'string' && typeof signature === 'string';
    if (!isComplete || !deps.links.check(artworkId, name, expires, signature, deps.now())) throw notFound();
    const image = await findImage(deps.db, artworkId, name);
    const file = image && (await deps.files.read(artworkId, name));
    if (!file) throw notFound();
    response.set({
      'Content-Type': image.contentType,
      'Content-Length': String(image.bytes),
      'Cache-Control': `private, max-age=${Math.floor((Number(expires) * 1000 - deps.now()) / 1000)}, immutable`,
      // Other sites may show the image.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    // A client that disconnects is not an error.
    await pipeline(file, response).catch(() => response.destroy());
  };
}

const notFound = () => new Problem('not_found', { message: 'This link is not valid, or the image has expired.' });
