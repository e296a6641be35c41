/** Spans of days that a request or a command asks for. */
import type { RuleFailure } from './request.ts';

/** Days in UTC, `2026-11-21`; both are included. */
export interface Span {
  from: string;
  to: string;
}

const usual = 30;
const most = 366;
const earliest = '2000-01-01';
const day = 86_400_000;

const textOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** @returns the span, and what is wrong with what was asked for; the last 30 days when nothing is */
export function spanOf(asked: { from?: unknown; to?: unknown }, now: Date): Span & { failures: RuleFailure[] } {
  const today = textOf(now.getTime());
  const failures: RuleFailure[] = [];
  for (const [name, value] of Object.entries({ from: asked.from, to: asked.to })) {
    if (value === undefined || isDay(value)) continue;
    failures.push({ path: `/${name}`, rule: 'date', message: `must be a day from ${earliest} on, such as ${today}` });
  }
  const to = isDay(asked.to) ? asked.to : today;
  const from = isDay(asked.from) ? asked.from : textOf(Date.parse(to) - (usual - 1) * day);
  if (failures.length > 0) return { from, to, failures };
  const days = (Date.parse(to) - Date.parse(from)) / day + 1;
  if (days < 1) failures.push({ path: '/from', rule: 'order', message: `must not be after ${to}` });
  if (days > most)
    failures.push({ path: '/from', rule: 'range', message: `must be at most ${most} days before the end` });
  return { from, to, failures };
}

/** From 2000 on. */
export function isDay(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value) || value < earliest) return false;
  const time = Date.parse(value);
  return !Number.isNaN(time) && textOf(time) === value;
}
