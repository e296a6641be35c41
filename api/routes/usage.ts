/** Reads the usage of the caller's organization in the caller's environment. */
import { isDay, type Span, spanOf } from '../../schemas/days.ts';
import type { UsageItem } from '../../schemas/usage.ts';
import { isOperationName } from '../../services/check-operation.ts';
import { rejectFailures } from '../../services/problem.ts';
import { listUsage, type UsagePosition } from '../../store/usage-pages.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Handler, KeyCall } from '../http/handler.ts';
import { type Page, readPage } from '../http/page.ts';

export function readUsage(deps: Dependencies): Handler<'readUsage'> {
  return async (call) => {
    const { span, page } = readSpanAndPage(deps, call);
    const after = page.cursor === null ? null : positionOf(page.cursor);
    const owner = { orgId: call.key.org, environments: [call.key.environment] };
    const { items: rows, totals } = await listUsage(deps.db, owner, span, { limit: page.limit + 1, after });
    const items = rows.slice(0, page.limit);
    const last = rows.length > page.limit ? items.at(-1) : undefined;
    call.response.json({ ...span, totals, items, nextCursor: last ? cursorOf(last) : null });
  };
}

/** @throws Problem `validation_failed` with everything that is wrong */
function readSpanAndPage(deps: Dependencies, { request }: KeyCall): { span: Span; page: Page } {
  const { failures, ...span } = spanOf(request.query, new Date(deps.now()));
  const { failures: more, ...page } = readPage(request, isUsageCursor);
  rejectFailures([...failures, ...more]);
  return { span, page };
}

/**
 * Returns whether a cursor names a day, an operation and a key: `2026-11-21,style-dna/generate,key_…`. The operation is
 * empty for other requests.
 */
function isUsageCursor(cursor: string): boolean {
  const [date, operation = '', keyId = '', ...more] = cursor.split(',');
  return isDay(date) && (operation === '' || isOperationName(operation)) && isKeyId(keyId) && more.length === 0;
}

const isKeyId = (text: string) => /^key_[0-9A-Z]{26}$/.test(text);

const cursorOf = ({ date, operation, keyId }: UsageItem) => [date, operation, keyId].join(',');

function positionOf(cursor: string): UsagePosition {
  const [date = '', operation = '', keyId = ''] = cursor.split(',');
  return { date, operation, keyId };
}
