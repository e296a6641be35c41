/** Decides whether instructions ask for what they mention or forbid it. */

/** A `thing` is used or left out, such as bullets; a `manner` is how a text sounds. */
type Kind = 'thing' | 'manner';

/** These negate things: "no bullets, lists or tables". A limit such as "no more than" forbids nothing. */
const limits = '(?![^.,;]{0,24}\\b(?:(?:more|longer|fewer|less|greater)\\s+than|exceed|over|above|beyond)\\b)';
const ofThings = `no(?!-)|without|avoid(?:ing)?|remov(?:e|ing)|drop|skip|omit|exclude|leave\\s+out|instead\\s+of|rather\\s+than|free\\s+of|keine[nrms]?|ohne|sans|sin`;
const ofManners = `not(?!\\s+(?:only|just|merely)\\b)|never|\\p{L}+n['’]t|dont|cannot|nor|neither|nicht|pas`;
const negator = new RegExp(`(?<![\\p{L}-])(?:(${ofThings})|${ofManners})(?!\\p{L})${limits}`, 'giu');

/** Fillers of the negation itself: "I don't want you to make it …". */
const fillers = /^(?:\s+(?:please|ever|want|you|to|try|need|like|it)(?!\p{L})){0,5}/iu;
const verbs =
  /(?<!\p{L})(?:make|keep|use|write|be|add|turn|rewrite|put|include|give|sound|shorten|expand|format)(?!\p{L})/iu;
const farthest = 60;

/** @param head the text before the mention @param tail the text after it */
function reaches(head: string, tail: string, kind: Kind): boolean {
  if (/(?<!\p{L})(?:less|too)\s+$/iu.test(head)) return true;
  const sentence = head.split(/[.;:!?\n()–—]|(?<!\p{L})but(?!\p{L})/iu);
  const last = [...(sentence.at(-1) ?? '').matchAll(negator)].at(-1);
  if (!last) return false;
  const between = (sentence.at(-1) ?? '').slice(last.index + last[0].length);
  const ofThing = last[1] !== undefined;
  const rest = between.replace(fillers, '').trimStart();
  const verb = verbs.exec(rest);
  const own = verb?.index === 0 ? rest.slice(verb[0].length) : rest;
  if (between.length > farthest || verbs.test(own)) return false;
  // One "no" negates a whole list of things, but only the manner before a comma.
  if (kind === 'manner') return !own.includes(',') && !(ofThing && /(?<!\p{L})and\s/iu.test(own));
  return !own.includes(',') || /(?<!\p{L})n?or\s+(?:an?\s+)?$/iu.test(own) || (isRow(own) && goesOn.test(tail));
}

/** A list of short items: "no bullets, lists or tables". */
const isRow = (items: string): boolean => items.split(',').every((item) => item.trim().split(/\s+/u).length <= 2);
const goesOn = /^[^.;:!?]{0,60}?(?<!\p{L})n?or(?!\p{L})/iu;

/** Finds the first mention that the text asks for, and whether the text forbids another. */
export function mention(
  text: string,
  pattern: RegExp,
  kind: Kind,
): { wanted: RegExpExecArray | null; refused: boolean } {
  let wanted: RegExpExecArray | null = null;
  let refused = false;
  for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    const behind = text.slice(match.index + match[0].length);
    // "Not short enough" asks for more of it.
    if (
      reaches(text.slice(Math.max(0, match.index - farthest * 2), match.index), behind, kind) &&
      !/^\p{L}*\s+enough(?!\p{L})/iu.test(behind)
    )
      refused = true;
    else wanted ??= match;
  }
  return { wanted, refused };
}
