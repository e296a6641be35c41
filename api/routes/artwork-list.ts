/** Lists artworks: what a key may read, by what it asks for. */
import { type Status, statuses } from '../../schemas/artwork.ts';
import { type ListFilter, listArtworks as list } from '../../store/artwork-list.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, Handler } from '../http/handler.ts';
import { readPage, toPage, usualCursor } from '../http/page.ts';
import { type FieldError, Problem } from '../../services/problem.ts';
import { showArtworks } from '../../services/artwork-views.ts';

export function listArtworks(deps: Dependencies): Handler {
  const operations = deps.operations.filter(({ answer }) => !answer).map(({ name }) => name);
  return async (call) => {
    const { limit, ...asked } = askedOf(call, operations);
    const rows = await list(deps.db, call.key, { ...asked, limit: limit + 1 }, new Date(deps.now()));
    const shown = await showArtworks(deps, rows);
    const views = shown.map(({ view }) => view);
    call.response.json(toPage(views, limit, (view) => view));
  };
}

/** @throws Problem `validation_failed` with all that is wrong */
function askedOf({ request }: Pick<Call, 'request'>, operations: readonly string[]): ListFilter {
  const { failures, limit, cursor } = readPage(request, usualCursor);
  const choice = <T extends string>(name: 'status' | 'operation', known: readonly T[]): T | null => {
    const value = request.query[name];
    const found = known.find((one) => one === value);
    if (value !== undefined && found === undefined) failures.push(unknown(name, known));
    return found ?? null;
  };
  const status = choice<Status>('status', statuses);
  const operation = choice('operation', operations);
  if (failures.length > 0) throw new Problem('validation_failed', { fields: failures });
  return { status, operation, limit, before: cursor };
}

const unknown = (name: string, known: readonly string[]): FieldError => ({
  path: `/${name}`,
  rule: 'enum',
  message: `must be one of: ${known.join(', ')}`,
});
