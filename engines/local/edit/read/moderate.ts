/** Reads what tempers an edit asked for before: "but not too much", "not too bright". */
import type { Edit } from '../edits.ts';

const tempering =
  /^(?:but |though |just |only )*(?:not (?:too|so|that|all that|quite so|overly|excessively|extremely)|nothing too|(?:do not|don't|without) overdo(?:ing)?(?: it| that)?)\b ?(.*)$/iu;
const degree =
  /^(?:much|strong(?:ly)?|hea(?:vy|vily)|hard|harsh(?:ly)?|far|intense(?:ly)?|extreme(?:ly)?|aggressive(?:ly)?|crazy|wild|obvious(?:ly)?|noticeabl[ey])?(?: of (?:it|that))?(?:,? please)?$/iu;
/** What stays of an edit that is not to be too much. */
const share = 0.6;

/** What is not to be too much: a quality in words, '' for whatever was asked for before; null where the clause says something else. */
export function temperedBy(part: string): string | null {
  const what = tempering.exec(part)?.[1]?.trim();
  if (what === undefined) return null;
  return degree.test(what) ? '' : what;
}

/** The last edits, as many as a clause asked for, lessened; null where one of them has no amount. */
export function temperedLast(edits: readonly Edit[], count: number): Edit[] | null {
  const less = edits.slice(-count).map(lessened);
  return less.includes(null) ? null : [...edits.slice(0, -count), ...(less as Edit[])];
}

/** The edits with those of a quality lessened; null where it is not told which, or they have no amount. */
export function tempered(edits: readonly Edit[], quality: readonly Edit[]): Edit[] | null {
  const out = [...edits];
  for (const one of quality) {
    const at = out.findLastIndex((edit) => isAbout(edit, one));
    const less = at < 0 ? null : lessened(out[at]!);
    if (!less) return null;
    out[at] = less;
  }
  return out;
}

function lessened(edit: Edit): Edit | null {
  if ('amount' in edit) return { ...edit, amount: edit.amount * share };
  if (edit.kind === 'exposure') return { ...edit, stops: edit.stops * share };
  if (edit.kind === 'saturation') return { ...edit, factor: 1 + (edit.factor - 1) * share };
  if (edit.kind === 'crop' && 'zoom' in edit) return { ...edit, zoom: 1 + (edit.zoom - 1) * share };
  return null;
}

/** The same change in the same direction; a quality without a place speaks of wherever it was asked for. */
function isAbout(edit: Edit, quality: Edit): boolean {
  const kind = edit.kind === 'defocus' ? 'blur' : edit.kind;
  if (kind !== quality.kind || directionOf(edit) !== directionOf(quality)) return false;
  if (edit.kind === 'tint' && quality.kind === 'tint' && String(edit.colour) !== String(quality.colour)) return false;
  const place = 'where' in quality ? quality.where : undefined;
  return !place || ('where' in edit && edit.where?.noun === place.noun && edit.where.outside === place.outside);
}

function directionOf(edit: Edit): number {
  if ('amount' in edit) return Math.sign(edit.amount);
  if (edit.kind === 'exposure') return Math.sign(edit.stops);
  return edit.kind === 'saturation' ? Math.sign(edit.factor - 1) : 0;
}
