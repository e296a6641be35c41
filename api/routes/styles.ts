/** Lists, reads and deletes encoded styles. The operation `style-dna/generate-anchor` creates them. */
import { Problem } from '../../services/problem.ts';
import { viewStyle } from '../../services/style-view.ts';
import * as store from '../../store/styles.ts';
import type { Dependencies } from '../dependencies.ts';
import { authorOf, type Handler } from '../http/handler.ts';
import { pageOf, toPage } from '../http/page.ts';

export function listStyles(deps: Dependencies): Handler<'listStyles'> {
  return async ({ request, response, key }) => {
    const { limit, cursor } = pageOf(request);
    response.json(toPage(await store.listStyles(deps.db, key, limit + 1, cursor), limit, viewStyle));
  };
}

export function readStyle(deps: Dependencies): Handler<'readStyle'> {
  return async ({ response, key, params }) => {
    const style = await store.findStyle(deps.db, key, params.id);
    if (!style) throw new Problem('not_found', { message: 'There is no such style.' });
    response.json(viewStyle(style));
  };
}

export function deleteStyle(deps: Dependencies): Handler<'deleteStyle'> {
  return async (call) => {
    const { response, key, params } = call;
    if (!(await store.deleteStyle(deps.db, key, params.id, new Date(deps.now()), authorOf(call)))) {
      throw new Problem('not_found', { message: 'There is no style with this id that this key can delete.' });
    }
    response.status(204).end();
  };
}
