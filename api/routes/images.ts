/** Image files, by their signed links. */
import { pipeline } from 'node:stream/promises';
import { findImage } from '../../store/artworks.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Call, param } from '../http/handler.ts';
import { Problem } from '../../services/problem.ts';

export function readImage(deps: Dependencies) {
  return async ({ request, response }: Pick<Call, 'request' | 'response'>): Promise<void> => {
    const artworkId = param({ request }, 'artworkId');
    const name = param({ request }, 'name');
    const { expires, signature } = request.query;
    const valid = typeof expires === 'string' && typeof signature === 'string';
    if (!valid || !deps.links.check(artworkId, name, expires, signature, deps.now())) throw gone();
    const image = await findImage(deps.db, artworkId, name);
    const file = image && (await deps.files.read(artworkId, name));
    if (!file) throw gone();
    response.set({
      'Content-Type': image.contentType,
      'Content-Length': String(image.bytes),
      'Cache-Control': `private, max-age=${Math.floor((Number(expires) * 1000 - deps.now()) / 1000)}, immutable`,
      // Links are made to be shown on other sites.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    // A client that goes away in the middle is no error of ours.
    await pipeline(file, response).catch(() => response.destroy());
  };
}

const gone = () => new Problem('not_found', { message: 'This link is not valid, or the image has expired.' });
