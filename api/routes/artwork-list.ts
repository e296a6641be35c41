/** Lists the artworks that a key may read. */
import { type Status, statuses } from '../../schemas/artwork.ts';
import { showArtworks } from '../../services/artwork-views.ts';
import { type ArtworkFilter, listReadableArtworks } from '../../services/list-artworks.ts';
import { type FieldError, rejectFailures } from '../../services/problem.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler, KeyCall } from '../http/handler.ts';
import { isIdCursor, readPage, toPage } from '../http/page.ts';

export function listArtworks(deps: Dependencies): Handler<'listArtworks'> {
  const operations = deps.operations.filter(({ synchronous }) => !synchronous).map(({ name }) => name);
  return async (call) => {
    const { limit, ...filter } = readFilter(call, operations);
    const page = { ...filter, limit: limit + 1 };
    const rows = await listReadableArtworks(deps, call.key, page, new Date(deps.now()));
    const views = (await showArtworks(deps, rows)).map(({ view }) => view);
    call.response.json(toPage(views, limit, (view) => view));
  };
}

/** @throws Problem `validation_failed` with everything that is wrong */
function readFilter({ request }: KeyCall, operations: readonly string[]): ArtworkFilter {
  const { failures, limit, cursor } = readPage(request, isIdCursor);
  const choice = <T extends string>(name: 'status' | 'operation', known: readonly T[]): T | null => {
    const value = request.query[name];
    const found = known.find((one) => one === value);
    if (value !== undefined && found === undefined) failures.push(unknown(name, known));
    return found ?? null;
  };
  const status = choice<Status>('status', statuses);
  const operation = choice('operation', operations);
  rejectFailures(failures);
  return { status, operation, limit, before: cursor };
}

const unknown = (name: string, known: readonly string[]): FieldError => ({
  path: `/${name}`,
  rule: 'enum',
  message: `must be one of: ${known.join(', ')}`,
});
