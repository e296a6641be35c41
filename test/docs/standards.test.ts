/** The pages on OWASP's standards: each requirement once, each ✔ with a test or a check that exists. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { asvsSummary, levels, readAsvs } from '../../scripts/generate/asvs.ts';
import { testTitles } from './test-titles.ts';

const read = (name: string) => readFileSync(`docs/security/${name}`, 'utf8');
const asvs = read('asvs.md');
const rows = readAsvs(asvs);
const topTen = read('owasp-api-top-10.md');

const titles = new Map<string, Set<string>>();
function titlesIn(file: string): Set<string> {
  const known = titles.get(file) ?? testTitles(file);
  titles.set(file, known);
  return known;
}

const checks = readFileSync('scripts/check.ts', 'utf8');

interface Evidence {
  /** Tests and checks that the text names. */
  count: number;
  /** Those that do not exist. */
  missing: string[];
}

function evidenceIn(text: string): Evidence {
  const tests = [...text.matchAll(/\[`([^`]+)`\]\(\.\.\/\.\.\/([^)]+\.test\.ts)\)/g)];
  const named = [...text.matchAll(/\[check: ([^\]]+)\]\(\.\.\/\.\.\/scripts\/check\.ts\)/g)];
  return {
    count: tests.length + named.length,
    missing: [
      ...tests
        .filter(([, title = '', file = '']) => !titlesIn(file).has(title))
        .map(([, title, file]) => `${file}: ${title}`),
      ...named.flatMap(([, name = '']) => (new RegExp(`^  '?${name}'?: \\[`, 'm').test(checks) ? [] : [name])),
    ],
  };
}

test.each([
  ['asvs.md', asvs],
  ['owasp-api-top-10.md', topTen],
])('%s names only tests and checks that exist', (_name, page) => {
  const { count, missing } = evidenceIn(page);
  expect(count).toBeGreaterThan(50);
  expect(missing).toEqual([]);
  // A link to a test that has another form would not be checked.
  expect(page.match(/\.test\.ts\)/g)).toHaveLength(page.match(/`\]\(\.\.\/\.\.\/[^)]+\.test\.ts\)/g)?.length ?? 0);
});

test('ASVS: each requirement of levels 1 and 2 occurs once, in order, with its level', () => {
  expect(rows.flatMap(({ numbers }) => numbers)).toEqual([...levels.keys()]);
  for (const { numbers, levels: written, chapter } of rows) {
    const expected = [...new Set(numbers.map((number) => levels.get(number)))].sort().join(', ');
    expect([numbers, written]).toEqual([numbers, expected]);
    for (const number of numbers) expect(`${chapter} `).toContain(`V${number.split('.')[0]} `);
  }
});

test('ASVS: each ✔ names a test or a check, every other row a page, a test or a reason', () => {
  const unproven = rows.filter(({ status, evidence }) => status === '✔' && evidenceIn(evidence).count === 0);
  expect(unproven).toEqual([]);
  expect(rows.filter(({ evidence }) => evidence.length < 3)).toEqual([]);
  const linked = rows.filter(({ status }) => status === 'documented' || status === 'operator');
  expect(linked.filter(({ evidence }) => !evidence.includes(']('))).toEqual([]);
});

test('ASVS: the summary has the counts of the rows', () => {
  const cells = (text: string) =>
    text
      .replaceAll(/ +/g, ' ')
      .split('\n')
      .filter((line) => /^\| (V|level|all)/.test(line));
  const written = /<!-- summary -->([^]*)<!-- \/summary -->/.exec(asvs)?.[1] ?? '';
  expect(cells(written)).toEqual(cells(asvsSummary(asvs)));
});

test('API Security Top 10: each risk has measures with tests, and says what remains', () => {
  const [, ...risks] = topTen.split(/^## /m);
  expect(risks.map((risk) => /^API(\d+):2023 \w/.exec(risk)?.[1])).toEqual(
    Array.from({ length: 10 }, (_, index) => String(index + 1)),
  );
  for (const risk of risks) {
    const measures = risk.split('\n').filter((line) => /^\| (?!measure|-)/.test(line));
    expect(measures.length).toBeGreaterThan(2);
    expect(measures.filter((line) => evidenceIn(line).count === 0)).toEqual([]);
    expect(risk).toMatch(/^\*\*Remains:\*\* \S/m);
  }
});

test('a row with a title that no test has, without a test, or missing, is found', () => {
  const [first = ''] = asvs.split('\n').filter((line) => line.startsWith('| 1.1.1 '));
  expect(evidenceIn(first.replace('returns 404', 'returns 405')).missing).toHaveLength(1);
  expect(evidenceIn(first.replaceAll('`', '')).count).toBe(0);
  expect(() => readAsvs(asvs.replace('| 1.1.1 ', '| 1.1.99 '))).toThrow('1.1.99 is not a number');
  expect(() => readAsvs(asvs.replace(first, first.replace('✔', 'yes')))).toThrow('a known status');
});
