/** What the caller's organization has used. */
import { isDay, type Span, spanOf } from '../../schemas/days.ts';
import type { UsageItem } from '../../schemas/usage.ts';
import { listUsage, sumUsage, type UsagePosition } from '../../store/usage.ts';
import { isOperationName } from '../../services/check-operation.ts';
import type { Dependencies } from '../dependencies.ts';
import type { Call, Handler } from '../http/handler.ts';
import { type Page, readPage } from '../http/page.ts';
import { Problem } from '../../services/problem.ts';

export function readUsage(deps: Dependencies): Handler {
  return async (call) => {
    const { span, page } = asked(deps, call);
    const after = page.cursor === null ? null : positionOf(page.cursor);
    const { org } = call.key;
    const [rows, totals] = await Promise.all([
      listUsage(deps.db, org, span, { limit: page.limit + 1, after }),
      sumUsage(deps.db, org, span),
    ]);
    const items = rows.slice(0, page.limit);
    const last = rows.length > page.limit ? items.at(-1) : undefined;
    call.response.json({ ...span, totals, items, nextCursor: last ? cursorOf(last) : null });
  };
}

/** @throws Problem `validation_failed` with all that is wrong */
function asked(deps: Dependencies, { request }: Call): { span: Span; page: Page } {
  const span = spanOf(request.query, new Date(deps.now()));
  const page = readPage(request, isCursor);
  const fields = [...span.failures, ...page.failures];
  if (fields.length > 0) throw new Problem('validation_failed', { fields });
  return { span: { from: span.from, to: span.to }, page };
}

/** `2026-11-21,style-dna/generate,key_…`; of a request that is no creation the middle is empty. */
function isCursor(cursor: string): boolean {
  const [date, operation = '', keyId = '', ...more] = cursor.split(',');
  return isDay(date) && (operation === '' || isOperationName(operation)) && isKeyId(keyId) && more.length === 0;
}

const isKeyId = (text: string) => /^key_[0-9A-Z]{26}$/.test(text);

const cursorOf = ({ date, operation, keyId }: UsageItem) => [date, operation, keyId].join(',');

function positionOf(cursor: string): UsagePosition {
  const [date = '', operation = '', keyId = ''] = cursor.split(',');
  return { date, operation, keyId };
}
