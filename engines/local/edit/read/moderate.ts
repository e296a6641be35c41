/** Reads limits on earlier edits: "but not too much", "not too bright". */
import type { Edit } from '../edits.ts';

const moderating =
  /^(?:but |though |just |only )*(?:not (?:too|so|that|all that|quite so|overly|excessively|extremely)|nothing too|(?:do not|don't|without) overdo(?:ing)?(?: it| that)?)\b ?(.*)$/iu;
const degree =
  /^(?:much|strong(?:ly)?|hea(?:vy|vily)|hard|harsh(?:ly)?|far|intense(?:ly)?|extreme(?:ly)?|aggressive(?:ly)?|crazy|wild|obvious(?:ly)?|noticeabl[ey])?(?: of (?:it|that))?(?:,? please)?$/iu;
/** Share of an edit that remains. */
const share = 0.6;

/** Returns what should not be too much: a quality in words, or '' for the edits before; null if the clause says something else. */
export function moderatedBy(part: string): string | null {
  const what = moderating.exec(part)?.[1]?.trim();
  return what !== undefined && degree.test(what) ? '' : (what ?? null);
}

/**
 * Returns the edits with some of them reduced: those of a quality, or the last ones.
 * Returns null if one of these has no amount, or the edits have none of the quality.
 */
export function moderated(edits: readonly Edit[], which: readonly Edit[] | number): Edit[] | null {
  const out = [...edits];
  const last = typeof which === 'number' ? [...out.keys()].slice(-which) : null;
  const places = last ?? (which as readonly Edit[]).map((one) => out.findLastIndex((edit) => isAbout(edit, one)));
  for (const at of places) {
    const edit = out[at];
    const less = edit ? reduced(edit) : null;
    if (!less) return null;
    out[at] = less;
  }
  return out;
}

function reduced(edit: Edit): Edit | null {
  if ('amount' in edit) return { ...edit, amount: edit.amount * share };
  if (edit.kind === 'exposure') return { ...edit, stops: edit.stops * share };
  if (edit.kind === 'saturation') return { ...edit, factor: 1 + (edit.factor - 1) * share };
  if (edit.kind === 'crop' && 'zoom' in edit) return { ...edit, zoom: 1 + (edit.zoom - 1) * share };
  return null;
}

/** The same change in the same direction; a quality without a place applies wherever the edit does. */
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
