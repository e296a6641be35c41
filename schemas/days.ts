/** Parses the range of days in a request or a command. */
import type { RuleFailure } from './request.ts';

/** Days in UTC, such as `2026-11-21`; both are included. */
export interface Span {
  from: string;
  to: string;
}

const defaultDays = 30;
const maxDays = 366;
const earliest = '2000-01-01';
const dayMs = 86_400_000;

const textOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Returns the range, which defaults to the last 30 days, and every failure in the request. */
export function spanOf(query: { from?: unknown; to?: unknown }, now: Date): Span & { failures: RuleFailure[] } {
  const today = textOf(now.getTime());
  const failures: RuleFailure[] = [];
  for (const [name, value] of Object.entries({ from: query.from, to: query.to })) {
    if (value === undefined || isDay(value)) continue;
    failures.push({
      path: `/${name}`,
      rule: 'date',
      message: `must be a date from ${earliest} onward, such as ${today}`,
    });
  }
  const to = isDay(query.to) ? query.to : today;
  const from = isDay(query.from) ? query.from : textOf(Date.parse(to) - (defaultDays - 1) * dayMs);
  if (failures.length > 0) return { from, to, failures };
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (days < 1) failures.push({ path: '/from', rule: 'order', message: `must not be after ${to}` });
  if (days > maxDays)
    failures.push({ path: '/from', rule: 'range', message: `must be less than ${maxDays} days before ${to}` });
  return { from, to, failures };
}

/** Returns whether a value is a date since 2000. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || value < earliest) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && textOf(time) === value;
}
