/** Reads what an edit must leave alone: "keep the dog in colour", "do not change the face". */
import { Phrases, phraseTable, wordSet } from '../../language/phrases.ts';
import type { Edit, Where } from '../edits.ts';
import type { Clause } from './clause.ts';
import { nounOf, withoutDeterminers } from './nouns.ts';
import { qualityWords } from './qualities.ts';

const keeping = new Phrases(
  phraseTable(`
    keep: keep|keeping|leave|leaving|preserve|preserving|maintain|maintaining|retain|protect,
      do| not|don't|dont|never|no|without touch|change|alter|affect|modify|edit|move,
      don't|dont|never|not|no|without touching|changing|altering|affecting|modifying|editing|moving
  `),
);
/** States in which a thing is left; "in colour" says nothing about its light. */
const states = new Phrases(
  phraseTable(`
    colour: in colour, coloured, colourful
    focus: in| sharp, in focus, focused
    all: in| unchanged, in| the same, the way it|they is|are, as it|they is|are, as is, untouched, natural, visible, intact, alone,
      in place, realistic, recognisable, recognizable, clear, too much, at all
  `),
);
const aspects: Readonly<Record<string, ReadonlySet<string>>> = {
  colour: wordSet('monochrome saturation sepia vintage tint temperature invert'),
  focus: wordSet('blur pixelate denoise'),
};
/** Nothing that an edit would touch. */
const untouched = new Phrases(
  phraseTable(`
    nothing: it, everything|anything else|, all else, rest, rest of it, other|others, other things, same| composition|framing|frame,
      same| detail|details|quality|resolution|style|pose|expression|identity|aspect ratio|size|proportions|content|look|shape|layout,
      same| mood|texture|lighting|light|highlights|shadows|colour|colours|contrast, aspect ratio, skin tone|tones
  `),
);

export interface Protection {
  where: Where;
  /** Kinds of edits, or null for all that change the thing. */
  from: ReadonlySet<string> | null;
}

/** Returns `nothing` if the clause protects what no edit would touch, and null if it says something else. */
export function protectedBy({ words }: Clause): Protection | 'nothing' | null {
  const verb = keeping.at(words, 0);
  if (!verb || (words[1] === 'only' && /^(?:keep|leave)$/u.test(words[0] ?? ''))) return null;
  let rest = words.slice(verb.end);
  let state = 'all';
  for (let i = rest.length - 1; i > 0; i--) {
    const found = states.at(rest, i);
    if (found?.end !== rest.length || (states.at(rest, i - 1)?.end === rest.length && i > 1)) continue;
    if (state === 'all') state = found.value;
    rest = rest.slice(0, i);
  }
  const noun = withoutDeterminers(rest);
  if (untouched.at(noun, 0)?.end === noun.length) return 'nothing';
  if (
    noun.length === 0 ||
    noun.length > 3 ||
    noun.some((word) => word === 'it' || word === 'natural' || word === 'realistic' || qualityWords.has(word))
  )
    return null;
  return { where: { noun: nounOf(noun), outside: true }, from: aspects[state] ?? null };
}

const ofWhole = wordSet('crop extend rotate straighten flip resize remove backdrop defocus censor recolour');

/** Limits edits of the whole picture; edits of a part name theirs. Returns null if one edit would have to spare several things. */
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
