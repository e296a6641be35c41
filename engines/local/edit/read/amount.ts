/** Reads how much: "a bit", "by 30 %", "twice". */

export interface Amount {
  /** 1 where nothing is said. */
  level: number;
  /** As the instruction says it; null where it says none. */
  percent: number | null;
  /** `by` is a change, `to` what is to come out; null where the percentage stands alone. */
  said: 'by' | 'to' | null;
}

const percentages: readonly (readonly [RegExp, (match: string) => number])[] = [
  [
    /\b(?:by |about |around |roughly )*(\d+(?:[.,]\d+)?)\s*(?:%|percent\b|per cent\b)/u,
    (n) => Number(n.replace(',', '.')),
  ],
  [/\b(?:by )?(a|one) quarter\b/u, () => 25],
  [/\b(?:by )?(a|one) third\b/u, () => 33],
  [/\b(?:by|to) (half)\b/u, () => 50],
  [/(?<=\b(?:left|right|top|bottom) )(third)\b/u, () => 33],
  [/(?<=\b(?:left|right|top|bottom) )(quarter)\b/u, () => 25],
  [/(?<=\b(?:left|right|top|bottom) )(half)\b/u, () => 50],
  [/\b(twice|two times|double)\b(?: as| the)?/u, () => 100],
  [/\b(three times|triple|thrice)\b(?: as| the)?/u, () => 200],
];

/** "not too much" at the end tempers the verb; before a noun it is a complaint. */
const modest =
  /\bnot (?:too|so|that|overly|all that) (?:much|strong(?:ly)?|heavily|hard|harshly|far|intensely|aggressively)$/u;

const levels: readonly (readonly [number, RegExp])[] = [
  [
    0.3,
    /\b(?:(?:just )?a (?:tiny|wee|little tiny) (?:bit|touch)|ever so slightly|barely|very (?:slightly|subtly|subtle|slight|gently|gentle|light|lightly))\b(?: of)?/gu,
  ],
  [
    0.5,
    /\b(?:(?:only )?(?:a|the) (?:little bit|little|bit|touch|tad|smidge|hint|notch|tick|slight|subtle|gentle|soft|mild)|slightly|slight|somewhat|subtly|subtle|gently|gentle|mildly|mild|lightly|kind of|a little|moderately)\b(?: of(?: an?)?)?/gu,
  ],
  [
    2.4,
    /\b(?:as much as possible|extremely|drastically|massively|insanely|super|ultra|completely|totally|way way|very very|to the max(?:imum)?)\b/gu,
  ],
  [
    1.7,
    /\b(?:a (?:whole )?lot(?: of)?|lots of|very|much|way|far|really|significantly|considerably|greatly|noticeably|strongly|strong|heavily|heavy|intensely|intense|extra|substantially|plenty of|a great deal(?: of)?|a good deal(?: of)?|big)\b/gu,
  ],
];

export function amountOf(text: string): { rest: string; amount: Amount } {
  let rest = text;
  const amount: Amount = { level: 1, percent: null, said: null };
  for (const [pattern, valueOf] of percentages) {
    const found = pattern.exec(rest);
    if (!found || amount.percent !== null) continue;
    amount.percent = valueOf(found[1] ?? '');
    amount.said = saidOf(rest.slice(0, found.index), found[0]);
    rest = rest.replace(pattern, ' ');
  }
  for (const [level, pattern] of [[0.5, modest] as const, ...levels]) {
    const without = rest.replace(pattern, ' ');
    if (without !== rest && amount.level === 1) amount.level = level;
    rest = without;
  }
  return { rest: rest.replace(/\s+/gu, ' ').trim(), amount };
}

function saidOf(before: string, match: string): Amount['said'] {
  if (/^(?:by|twice|two|double|three|triple|thrice)\b/u.test(match)) return 'by';
  return /^to\b/u.test(match) || /\b(?:to|at) (?:(?:the|only|just) )*$/u.test(before) ? 'to' : null;
}

/** An amount on a scale where `usual` is what a plain word means and 100 % means `all`. */
export function scaled({ level, percent }: Amount, usual: number, all: number): number {
  return percent === null ? usual * level : (percent / 100) * all;
}
