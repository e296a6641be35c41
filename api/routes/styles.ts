/** Encoded styles: listed, read and removed. They are made by `style-dna/generate-anchor`. */
import { deleteStyle as remove, findStyle, listStyles as list, viewStyle } from '../../store/styles.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Handler, param } from '../handler.ts';
import { pageOf, toPage } from '../page.ts';
import { Problem } from '../problem.ts';

const gone = () => new Problem('not_found', { message: 'There is no such style.' });

export function listStyles(deps: Dependencies): Handler {
  return async ({ request, response, key }) => {
    const { limit, cursor } = pageOf(request);
    response.json(toPage(await list(deps.db, key, limit + 1, cursor), limit, viewStyle));
  };
}

export function readStyle(deps: Dependencies): Handler {
  return async (call) => {
    const style = await findStyle(deps.db, call.key, param(call, 'id'));
    if (!style) throw gone();
    call.response.json(viewStyle(style));
  };
}

export function deleteStyle(deps: Dependencies): Handler {
  return async (call) => {
    if (!(await remove(deps.db, call.key, param(call, 'id')))) throw gone();
    call.response.status(204).end();
  };
}
