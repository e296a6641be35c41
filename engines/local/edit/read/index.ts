/** Reads an instruction as a list of edits. Rejects the whole instruction if it does not understand a part of it. */
import { EngineError, type EditImage } from '../../../contract/index.ts';
import { nouns } from '../../cutout/vocabulary.ts';
import { wordSet } from '../../language/phrases.ts';
import { abilities } from '../abilities.ts';
import type { Edit } from '../edits.ts';
import { asEdits } from '../validate.ts';
import { frameRules } from './frame.ts';
import { bareQuality, lightRules } from './light.ts';
import { backdropRules, objectRules } from './objects.ts';
import { limited, limitedBy, protect, protectedBy, type Protection } from './protect.ts';
import { applied, type Context } from './rule.ts';
import { isPart } from './slots.ts';
import { clauses, measured, spelled, wordsOf } from './words.ts';

/** First words of clauses that continue no scene and no earlier clause. */
const opening = wordSet(`
  make turn add give remove crop rotate flip mirror blur sharpen brighten darken lighten increase decrease reduce boost lower raise
  warm cool change replace convert apply put zoom extend expand straighten keep leave saturate desaturate soften denoise smooth
  enhance improve tint recolour pixelate resize don't without
`);
const articles = wordSet('the a an');
const replacing = wordSet('replace swap fill exchange');
const limits = wordSet("not too nothing don't without only just");

/** Longest clause in characters, which bounds the work of all rules. */
const longest = 200;

export interface Setting {
  /** A mask came with the instruction. */
  mask: boolean;
}

export interface Listed {
  /** A language model's reading of the instruction, not yet validated. Absent or null without one. */
  listed?: unknown;
}

/** Returns the edits that a language model listed, or else those that the rules read. @throws EngineError like `read` */
export function editsOf({ instruction, mask, listed }: EditImage & Listed): Edit[] {
  const edits = asEdits(listed);
  if (!edits) return read(instruction, { mask: mask !== null });
  if (!mask) edits.forEach(requireKnownNoun);
  return edits;
}

/** The state of the reader between two clauses. */
interface Progress {
  edits: Edit[];
  protections: Protection[];
  /** Words of the last clause, which the next one can continue: "make the sky bluer and [make the sky] darker". */
  head: readonly string[];
  /** Number of edits of the last clause that can be limited: "but not too much". */
  latest: number;
}

/** @throws EngineError `input_invalid` that quotes the clause or the noun that is not understood */
export function read(instruction: string, { mask }: Setting): Edit[] {
  let progress: Progress = { edits: [], protections: [], head: [], latest: 0 };
  for (const clause of clauses(instruction)) {
    if (clause.length > longest) throw refusal(clause);
    const words = wordsOf(clause);
    if (words.length === 0) continue;
    const next = withClause(progress, words, mask);
    if (!next) throw refusal(clause);
    progress = next;
  }
  const edits = progress.edits.length === 0 ? null : protect(progress.edits, progress.protections);
  if (!edits) throw refusal(instruction);
  if (!mask) edits.forEach(requireKnownNoun);
  return edits;
}

interface Understood {
  words: readonly string[];
  edits: Edit[];
}

/** Returns null if the clause is not understood. */
function withClause(progress: Progress, words: readonly string[], mask: boolean): Progress | null {
  const { edits, protections, head } = progress;
  const opens = opening.has(words[0] ?? '');
  const last = edits.at(-1);
  const scene =
    last?.kind === 'backdrop' && typeof last.fill === 'object' && 'scene' in last.fill ? last.fill.scene : null;
  if (scene !== null && !opens && words[0] !== 'more' && words[0] !== 'less') {
    const fill = { scene: `${scene}, ${words.join(' ')}` };
    return { ...progress, edits: [...edits.slice(0, -1), { kind: 'backdrop', fill }] };
  }
  if (edits.length > 0 && limits.has(words[0] ?? '')) {
    const limit = limitedBy(words);
    const which =
      limit === null ? null : limit === '' ? progress.latest : readWords(['more', ...limit.split(' ')], mask);
    const less = which === null || which === 0 ? null : limited(edits, which);
    if (less) return { ...progress, edits: less };
    // "Not so dark" can be a new complaint about the picture.
    if (limit !== null && words[1] !== 'so') return null;
  }
  const kept = protectedBy(spelled(words, mask));
  if (kept === 'nothing') return { ...progress, head: ['keep'] };
  if (kept) return { ...progress, protections: [...protections, kept], head: ['keep'] };
  // An edit can spare one thing only: "keep the dog and the cat" is rejected.
  if (head[0] === 'keep' && articles.has(words[0] ?? '')) {
    return protectedBy(['keep', ...words]) === 'nothing' ? progress : null;
  }
  // "Remove the background and replace it with …" continues with the background.
  const refers = last?.kind === 'backdrop' && replacing.has(words[0] ?? '') && words[1] === 'it';
  const own = refers ? [words[0] ?? '', 'background', ...words.slice(2)] : words;
  const found = continued(own, opens ? [] : head, mask);
  if (!found) return null;
  const replaces = found.edits[0]?.kind === 'backdrop' && last?.kind === 'backdrop';
  const { rest, amount } = measured(found.words);
  return {
    protections,
    edits: [...(replaces ? edits.slice(0, -1) : edits), ...found.edits],
    head: rest,
    latest: amount.percent === null ? found.edits.length : 0,
  };
}

/** Reads a clause, with the first words of the clause before it if that makes sense. */
function continued(words: readonly string[], head: readonly string[], mask: boolean): Understood | null {
  const own = readWords(words, mask);
  // An edit can spare one thing only: "except the dog and the cat" is rejected.
  const spares = head.some((word) => /^(?:except|around|behind)$/u.test(word));
  for (let count = spares ? 0 : head.length - 1; count > 0; count--) {
    const whole = [...head.slice(0, count), ...words];
    const edits = readWords(whole, mask);
    if (edits) return own && !isAlike(own, edits) ? null : { words: whole, edits };
  }
  if (own) return { words, edits: own };
  const bare = head.length > 0 ? null : readWords(words, mask, [bareQuality]);
  return bare ? { words: ['add', ...words], edits: bare } : inTwo(words, mask);
}

/** "Increase the contrast and blur" has two readings; those of "darker" differ only in their place. */
const isAlike = (own: readonly Edit[], other: readonly Edit[]): boolean =>
  own.map(({ kind }) => kind).join() === other.map(({ kind }) => kind).join();

/** "A vintage look with grain" */
function inTwo(words: readonly string[], mask: boolean): Understood | null {
  const at = words.indexOf('with', 1);
  const first = at < 0 ? null : readWords(words.slice(0, at), mask);
  const second = first && (readWords(words.slice(at), mask) ?? readWords(words.slice(at + 1), mask));
  return first && second && { words, edits: [...first, ...second] };
}

function readWords(plain: readonly string[], mask: boolean, rules = allRules): Edit[] | null {
  const { rest, amount } = measured(plain);
  const context: Context = { amount, mask };
  return applied(backdropRules, plain, context) ?? applied(rules, spelled(rest, mask), context);
}

const allRules = [...frameRules, ...objectRules, ...lightRules];

/** Without a mask, an edit can only apply to what the detectors find. */
function requireKnownNoun(edit: Edit): void {
  const noun = edit.kind === 'crop' && 'to' in edit ? edit.to : 'where' in edit ? edit.where?.noun : undefined;
  if (noun === undefined || isPart(noun)) return;
  throw new EngineError('input_invalid', 'The instruction names what the embedded editor cannot find.', {
    publicMessage: `"${shortened(noun)}" is not among the things that this model can find: sky, ${nouns.join(', ')}. A mask can show it instead.`,
  });
}

function shortened(text: string): string {
  const letters = [...text.trim()];
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : letters.join('');
}

function refusal(clause: string): EngineError {
  return new EngineError('input_invalid', 'The instruction asks for what the embedded editor cannot do.', {
    publicMessage: `The instruction "${shortened(clause)}" is not understood. This model can: ${abilities.join('; ')}.`,
  });
}
