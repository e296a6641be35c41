/** Reads the tables of docs/security/asvs.md, and counts their statuses. */
import { readFileSync } from 'node:fs';

const statuses = ['✔', 'documented', 'operator', 'n/a', 'partly', 'no'] as const;
type Status = (typeof statuses)[number];

export interface Row {
  /** The chapter's heading. */
  chapter: string;
  /** The numbers of the requirements that the row covers. */
  numbers: string[];
  levels: string;
  requirement: string;
  status: Status;
  evidence: string;
}

/** The levels of the requirements, by their number, in the order of the standard. */
export const levels = new Map(
  Object.entries(
    (
      JSON.parse(readFileSync(new URL('../../docs/security/asvs-5.0.0.json', import.meta.url), 'utf8')) as {
        levels: Record<string, number>;
      }
    ).levels,
  ),
);

/** @throws Error for a row without all cells, with an unknown number, or with an unknown status */
export function readAsvs(page: string): Row[] {
  return page.split(/^## (?=V)/m).flatMap((section, index) => {
    const [chapter = '', ...lines] = section.split('\n');
    return index === 0 ? [] : lines.filter((line) => /^\| \d/.test(line)).map((line) => readRow(chapter, line));
  });
}

function readRow(chapter: string, line: string): Row {
  const [range = '', ofLevel = '', requirement = '', given = '', evidence = '', ...rest] = line
    .replace(/^\| | \|$/g, '')
    .split(' | ')
    .map((cell) => cell.trim());
  const status = statuses.find((one) => one === given);
  if (!status || rest.length > 0) throw new Error(`The row of ${range} must have five cells and a known status`);
  return { chapter, numbers: numbersOf(range), levels: ofLevel, requirement, status, evidence };
}

/** Returns the numbers of a range such as `6.2.1–6.2.12`, or the only one. */
function numbersOf(range: string): string[] {
  const all = [...levels.keys()];
  const [first = '', last = first] = range.split('–');
  const [from, to] = [all.indexOf(first), all.indexOf(last)];
  if (from < 0 || to < from) throw new Error(`${range} is not a number or range of levels 1 and 2`);
  return all.slice(from, to + 1);
}

/** Returns a table of the numbers of requirements by chapter, level and status. */
export function asvsSummary(page: string): string {
  const found = readAsvs(page).flatMap(({ chapter, numbers, status }) =>
    numbers.map((number) => ({ chapter, level: `level ${levels.get(number)}`, all: 'all', status })),
  );
  const groups = (['chapter', 'level', 'all'] as const).flatMap((by) =>
    [...Map.groupBy(found, (one) => one[by])].sort(([a], [b]) => (by === 'level' ? a.localeCompare(b) : 0)),
  );
  const rows = groups.map(([name, group]) => [
    name,
    ...statuses.map((status) => group.filter((one) => one.status === status).length || ''),
    group.length,
  ]);
  const head = ['', ...statuses, 'requirements'];
  return [head, head.map((_cell, index) => (index === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}
