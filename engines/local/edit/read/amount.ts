/** Reads amounts: "a bit", "by 30 %", "twice". */
import { Phrases, phraseTable, wordSet } from '../../language/phrases.ts';

export interface Amount {
  /** 1 if the clause says nothing. */
  level: number;
  /** Percentage in the clause, or null. */
  percent: number | null;
  /** `by` is a change, `to` a result; null if the percentage stands alone. */
  said: 'by' | 'to' | null;
}

const levels = new Phrases(
  phraseTable(`
    0.3: a tiny|wee bit|touch, a little tiny bit|touch, ever so slightly, barely, very slightly|subtly|subtle|slight|gently|gentle|light|lightly
    0.5: only| a|the little|bit|touch|tad|smidge|hint|notch|tick|slight|subtle|gentle|soft|mild, a little bit, slightly, slight,
      somewhat, subtly, subtle, gently, gentle, mildly, mild, lightly, kind of, moderately
    1.7: a lot, a whole lot, lots, very, much, way, far, really, significantly, considerably, greatly, noticeably, strongly,
      strong, heavily, heavy, intensely, intense, extra, substantially, plenty, a great|good deal, big
    2.4: as much as possible, extremely, drastically, massively, insanely, super, ultra, completely, totally, way way, very very,
      to the max|maximum
  `).map(([phrase, level]) => [phrase, Number(level)] as const),
);

const shares = new Phrases(
  phraseTable(`
    25: a|one quarter
    33: a|one third
    100 by: twice as|, two times as|, double the|
    200 by: three times as|, triple the|, thrice as|
  `),
);
const sides = wordSet('left right top bottom');
const sideShares = new Map([
  ['half', 50],
  ['third', 33],
  ['quarter', 25],
]);
const approximately = wordSet('about around roughly');

/** "Not too much" at the end moderates the verb; before a noun it is a complaint. */
const modest =
  / ?\bnot (?:too|so|that|overly|all that) (?:much|strong(?:ly)?|heavily|hard|harshly|far|intensely|aggressively)$/u;

export function amountOf(words: readonly string[]): { rest: string[]; amount: Amount } {
  const text = words.join(' ');
  const moderated = modest.test(text);
  const left = moderated ? text.replace(modest, '').split(' ').filter(Boolean) : words;
  const amount: Amount = { level: moderated ? 0.5 : 1, percent: null, said: null };
  const rest: string[] = [];
  for (let at = 0; at < left.length;) {
    const share = amount.percent === null ? shareAt(left, at) : null;
    const level = share ? null : levels.at(left, at);
    if (share) {
      while (approximately.has(rest.at(-1) ?? '')) rest.pop();
      const by = rest.at(-1) === 'by' && rest.pop() === 'by';
      amount.percent = share.percent;
      amount.said = by || share.by ? 'by' : saidBefore(rest);
    } else if (level) {
      if (amount.level === 1) amount.level = level.value;
    } else rest.push(left[at] ?? '');
    at = share?.end ?? level?.end ?? at + 1;
    if (level && left[at] === 'of') at++;
  }
  return { rest, amount };
}

function shareAt(words: readonly string[], at: number): { percent: number; by: boolean; end: number } | null {
  const [before = '', word = ''] = [words[at - 1], words[at]];
  if (/^\d.*%$/u.test(word)) return { percent: Number(word.slice(0, -1).replace(',', '.')), by: false, end: at + 1 };
  const part = sides.has(before) || (word === 'half' && /^(?:by|to)$/u.test(before)) ? sideShares.get(word) : undefined;
  if (part !== undefined) return { percent: part, by: false, end: at + 1 };
  const found = shares.at(words, at);
  return found && { percent: Number.parseInt(found.value, 10), by: found.value.endsWith('by'), end: found.end };
}

function saidBefore(rest: readonly string[]): 'to' | null {
  return /\b(?:to|at)(?: (?:the|only))*$/u.test(rest.join(' ')) ? 'to' : null;
}

/** Returns an amount on a scale where a plain word means `usual` and 100 % means `all`. */
export function scaled({ level, percent }: Amount, usual: number, all: number): number {
  return percent === null ? usual * level : (percent / 100) * all;
}
