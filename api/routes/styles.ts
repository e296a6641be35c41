/** Encoded styles: listed, read and removed. They are made by `style-dna/generate-anchor`. */
import { viewStyle } from '../../services/style-view.ts';
import { deleteStyle as remove, findStyle, listStyles as list } from '../../store/styles.ts';
import type { Dependencies } from '../dependencies.ts';
import { type Handler, param } from '../http/handler.ts';
import { pageOf, toPage } from '../http/page.ts';
import { Problem } from '../../services/problem.ts';

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
