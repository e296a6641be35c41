/** Reads what is to be left alone: "keep the dog in colour", "do not change the face". */
import type { Edit, Where } from '../edits.ts';
import type { Clause } from './clause.ts';
import { nounOf } from './where.ts';

const kept =
  /^(?:(?:keep|keeping|leave|leaving|preserve|preserving|maintain|maintaining|retain|protect)|(?:do not|don't|dont|without|never|not|no) (?:touch|chang|alter|affect|modify|edit|mov)(?:e|ing|y|ifying)?)(?: only| just)? (.+?)(?: (?:in )?(?:sharp|in focus|focused|unchanged|the same|the way (?:it|they) (?:is|are)|as (?:it|they) (?:is|are)|as is|untouched|natural|visible|intact|alone|in place|in colou?r|colou?red|colou?rful|realistic|recogni[sz]able|clear|too much|at all))*$/u;
/** Nothing that an edit here would touch. */
const idle =
  /^(?:it|everything(?: else)?|all else|anything(?: else)?|the rest(?: of it)?|rest|others?|other things|the others|(?:the |its )?(?:same )?(?:composition|framing|frame|details?|quality|resolution|style|pose|expression|identity|aspect ratio|size|proportions|content|look|shape|layout|mood|texture|lighting|light|highlights|shadows|colou?rs|contrast|skin tones?))$/u;

/** In what a thing is left as it is: "in colour" says nothing about its light. */
const aspects: readonly (readonly [RegExp, ReadonlySet<Edit['kind']>])[] = [
  [
    / (?:in colou?r|colou?red|colou?rful)$/u,
    new Set<Edit['kind']>(['monochrome', 'saturation', 'sepia', 'vintage', 'tint', 'temperature', 'invert']),
  ],
  [/ (?:sharp|in focus|focused)$/u, new Set<Edit['kind']>(['blur', 'pixelate', 'denoise'])],
];

export interface Protection {
  where: Where;
  /** Null for all that would change it. */
  from: ReadonlySet<Edit['kind']> | null;
}

/** What is protected, `nothing` where the clause asks for no more than what is done anyway; null where it says something else. */
export function protectedBy({ text }: Clause): Protection | 'nothing' | null {
  const what = kept.exec(text)?.[1];
  if (what === undefined || /^(?:keep|leave) only /u.test(text)) return null;
  if (idle.test(what)) return 'nothing';
  const noun = what.replace(/^(?:the |his |her |their |its |my |all |of )+/u, '').trim();
  return noun.split(' ').length <= 3 && !/\b(?:natural|realistic|colou?rs?)\b/u.test(noun)
    ? {
        where: { noun: nounOf(noun), outside: true },
        from: aspects.find(([pattern]) => pattern.test(text))?.[1] ?? null,
      }
    : null;
}

const framed = new Set<Edit['kind']>([
  'crop',
  'extend',
  'rotate',
  'straighten',
  'flip',
  'resize',
  'remove',
  'backdrop',
  'defocus',
  'censor',
  'recolour',
]);

/**
 * Only edits of the whole picture are held off: those of a part name their own. Null where one edit would have to spare
 * several things.
 */
export function protect(edits: readonly Edit[], protections: readonly Protection[]): Edit[] | null {
  const out: Edit[] = [];
  for (const edit of edits) {
    const free = framed.has(edit.kind) || ('where' in edit && edit.where);
    const [first, ...others] = free ? [] : protections.filter(({ from }) => from?.has(edit.kind) ?? true);
    if (others.some(({ where }) => where.noun !== first?.where.noun)) return null;
    out.push(first ? ({ ...edit, where: first.where } as Edit) : edit);
  }
  return out;
}
