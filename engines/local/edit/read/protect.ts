/** Reads what an edit must leave alone ("keep the dog in colour") and limits on earlier edits ("but not too bright"). */
import { wordSet } from '../../language/phrases.ts';
import type { Edit, Where } from '../edits.ts';
import { form } from './forms.ts';
import { isTrait } from './qualities.ts';
import { slots } from './slots.ts';

export interface Protection {
  where: Where;
  /** Kinds of edits, or null for all that change the thing. */
  from: ReadonlySet<string> | null;
}

const keeping =
  "keep|keeping|leave|leaving|preserve|preserving|maintain|retain|protect|don't|without|not|no touch|change|alter|affect|modify|touching|changing|altering|affecting|modifying?";
const untouched = form(`${keeping} UNTOUCHED STATE? STATE?`, slots);
const keptAs = form(`${keeping} NOUN STATE`, slots);
const kept = form(`${keeping} NOUN`, slots);

const aspects: Readonly<Record<string, ReadonlySet<string>>> = {
  colour: wordSet('monochrome saturation sepia vintage tint temperature invert'),
  focus: wordSet('blur pixelate denoise'),
};

/** Returns `nothing` if the clause protects what no edit would touch, and null if it says something else. */
export function protectedBy(words: readonly string[]): Protection | 'nothing' | null {
  if (untouched(words)) return 'nothing';
  const found = keptAs(words) ?? kept(words);
  const isNegative = /^(?:don't|without|not|no)$/u.test(words[0] ?? '');
  // "No dog" removes it, and "keep it" says nothing.
  if (
    !found?.noun ||
    isTrait(found.noun) ||
    (isNegative && !/^(?:touch|chang|alter|affect|modif)/u.test(words[1] ?? ''))
  )
    return null;
  return { where: { noun: found.noun, outside: true }, from: aspects[found.state ?? 'all'] ?? null };
}

const ofWhole = wordSet('crop extend rotate straighten flip resize remove backdrop defocus censor recolour');

/** Limits edits of the whole picture. Returns null if one edit would have to spare several things. */
export function protect(edits: readonly Edit[], protections: readonly Protection[]): Edit[] | null {
  const out: Edit[] = [];
  for (const edit of edits) {
    const free = ofWhole.has(edit.kind) || ('where' in edit && edit.where);
    const [first, ...others] = free ? [] : protections.filter(({ from }) => from?.has(edit.kind) ?? true);
    if (others.some(({ where }) => where.noun !== first?.where.noun)) return null;
    out.push(first ? ({ ...edit, where: first.where } as Edit) : edit);
  }
  return out;
}

const limiting =
  /^(?:only |just )?(?:not (?:too|so|that|overly)|nothing too|too|(?:don't|without) overdo(?:ing)?(?: it| that)?) ?(.*)$/u;
const degree = /^(?:much|strong(?:ly)?|heav(?:y|ily)|hard|harsh(?:ly)?|far|intense(?:ly)?|extreme(?:ly)?)?$/u;
/** Share of an edit that remains. */
const share = 0.6;

/** Returns the quality that must not be too much, '' for the edits before; null if the clause says something else. */
export function limitedBy(words: readonly string[]): string | null {
  const what = limiting.exec(words.join(' '))?.[1];
  return what !== undefined && degree.test(what) ? '' : (what ?? null);
}

/**
 * Returns the edits with some of them reduced: those of a quality, or the last ones.
 * Returns null if one of these has no amount, or the edits have none of the quality.
 */
export function limited(edits: readonly Edit[], which: readonly Edit[] | number): Edit[] | null {
  const out = [...edits];
  const places =
    typeof which === 'number'
      ? [...out.keys()].slice(-which)
      : which.map((one) => out.findLastIndex((edit) => isAbout(edit, one)));
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

/** The same change in the same direction. */
function isAbout(edit: Edit, quality: Edit): boolean {
  const kind = edit.kind === 'defocus' ? 'blur' : edit.kind;
  if (kind !== quality.kind || directionOf(edit) !== directionOf(quality)) return false;
  return edit.kind !== 'tint' || quality.kind !== 'tint' || String(edit.colour) === String(quality.colour);
}

function directionOf(edit: Edit): number {
  if ('amount' in edit) return Math.sign(edit.amount);
  if (edit.kind === 'exposure') return Math.sign(edit.stops);
  return edit.kind === 'saturation' ? Math.sign(edit.factor - 1) : 0;
}
