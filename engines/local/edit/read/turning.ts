/** Reads what turns the picture: rotate, straighten, flip. */
import type { Edit } from '../edits.ts';
import type { Clause } from './clause.ts';
import { saysOnly, wordSet } from './words.ts';

const flipWords = wordSet(
  'it left right to & up upside down side sides horizontally vertically horizontal vertical along around over the on axis x y x-axis y-axis from top bottom left-right',
);
const turnWords = wordSet(
  'by to the a an it degree degrees deg clockwise counterclockwise counter-clockwise anticlockwise anti-clockwise counter anti cw ccw left right side quarter half turn around on its of in direction upside down 90',
);

export function readTurn({ text, amount }: Clause): Edit[] | null {
  if (
    /^(?:straighten|level|align)(?: (?:out|up))?(?: it| the (?:horizon|lines|buildings?|verticals?))?(?: (?:out|up))?$|^(?:make|get) (?:it|the horizon) (?:straight|level|horizontal)$|^fix the (?:(?:crooked |tilted )?horizon|tilt)$/u.test(
      text,
    )
  ) {
    return [{ kind: 'straighten' }];
  }
  const flip = /^(?:flip|mirror|reflect|reverse)\b(.*)$|^(?:make )?(?:a )?mirror(?:ed)? image(?: of it)?$/u.exec(text);
  if (flip) {
    const how = flip[1] ?? '';
    if (!saysOnly(how, flipWords)) return null;
    const vertical = /\b(?:vertical(?:ly)?|upside|up|top|bottom|y-axis)\b/u.test(how) && !/\bhorizontal/u.test(how);
    return [{ kind: 'flip', axis: vertical ? 'vertical' : 'horizontal' }];
  }
  if (/^(?:turn|flip|put)(?: it)? upside[- ]?down$|^(?:make )?(?:it )?upside[- ]down$/u.test(text))
    return [{ kind: 'rotate', degrees: 180 }];
  const turn = /^(?:rotate|turn|tilt|spin|straighten|roll)\b(?: it)?(.*)$/u.exec(text);
  if (!turn) return null;
  const how = (turn[1] ?? '').trim();
  const angle = /(-?\d+(?:\.\d+)?)/u.exec(how);
  const words = how
    .replace(angle?.[1] ?? '', '')
    .replace(/[°\s]+/gu, ' ')
    .trim();
  if (!saysOnly(words, turnWords)) return null;
  const back = /\b(?:left|counter-?clockwise|anti-?clockwise|counter|anti|ccw)\b/u.test(words);
  const plain = /\bquarter\b|\b(?:left|right|side|cw|ccw|clockwise|counter-?clockwise|anti-?clockwise)\b/u.test(words)
    ? 90
    : /\b(?:half|around|upside)\b/u.test(words)
      ? 180
      : 0;
  const slight = amount.level < 1 && plain === 90 ? 10 * amount.level : plain;
  const degrees = angle ? Number(angle[1]) : slight || (text.startsWith('rotate') ? 90 : 0);
  if (degrees === 0 || Math.abs(degrees) > 360) return null;
  return [{ kind: 'rotate', degrees: back ? -degrees : degrees }];
}
