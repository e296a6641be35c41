/** Reads an instruction as a list of edits. Rejects the whole instruction if it does not understand a part of it. */
import { EngineError, type EditImage } from '../../../contract/index.ts';
import { nouns } from '../../cutout/vocabulary.ts';
import { wordSet } from '../../language/phrases.ts';
import { asEdits, type Edit } from '../edits.ts';
import { frameRules, measuredFrameRules } from './frame.ts';
import { lightRules } from './light.ts';
import { backdropRules, objectRules } from './objects.ts';
import { applied, type Context } from './rule.ts';
import { isPart } from './slots.ts';
import vocabulary from './vocabulary.json' with { type: 'json' };
import { clauses, measured, spelled, wordsOf } from './words.ts';

/** The edits that the reader understands, for error messages. */
export const abilities = [
  'brighten or darken',
  'change contrast, shadows or highlights',
  'make warmer or cooler',
  'change the saturation',
  'tint in a colour',
  'black and white, sepia, vintage or inverted colours',
  'blur or pixelate the picture, the background or faces',
  'sharpen, denoise, add clarity, grain or a vignette',
  'replace, recolour or remove the background',
  'change the colour of an object',
  'remove an object or what a mask covers',
  'crop, zoom, extend, rotate, straighten, flip or resize',
] as const;

/** First words of clauses that continue no scene and no earlier clause. */
const opening = wordSet(vocabulary.opening);

/** A defocus leaves these sharp anyway: "blur the background but keep the subject sharp". */
const keptSharp =
  /^keep(?:ing)? (?:(?:the|his|her) )?(?:main )?(?:subject|foreground|person|people|man|woman|face) (?:sharp|in focus)$/u;

/** Longest clause in characters, which bounds the work of all rules. */
const longest = 200;

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

interface Understood {
  words: readonly string[];
  edits: Edit[];
}

/**
 * Reads an instruction by rules.
 * @param setting.mask whether a mask came with the instruction
 * @throws EngineError `input_invalid` that quotes the clause or the noun that is not understood
 */
export function read(instruction: string, { mask }: { mask: boolean }): Edit[] {
  const edits: Edit[] = [];
  let head: readonly string[] = [];
  for (const clause of clauses(instruction)) {
    const words = wordsOf(clause);
    if (words.length === 0 && clause.length <= longest) continue;
    const found = clause.length > longest ? null : understood(words, edits.at(-1), head, mask);
    if (!found) throw refusal(clause);
    // "Remove the background and make it transparent" fills it once.
    if (edits.at(-1)?.kind === 'backdrop' && found.edits[0]?.kind === 'backdrop') edits.pop();
    edits.push(...found.edits);
    head = measured(found.words).rest;
  }
  if (edits.length === 0) throw refusal(instruction);
  if (!mask) edits.forEach(requireKnownNoun);
  return edits;
}

/**
 * Returns null if the clause is not understood.
 * @param head words of the last clause, which this one can continue: "make the sky bluer and [make the sky] darker"
 */
function understood(
  words: readonly string[],
  last: Edit | undefined,
  head: readonly string[],
  mask: boolean,
): Understood | null {
  const opens = opening.has(words[0] ?? '');
  if (last?.kind === 'backdrop') {
    const scene = typeof last.fill === 'object' && 'scene' in last.fill ? last.fill.scene : null;
    if (scene !== null && !opens && words[0] !== 'more' && words[0] !== 'less') {
      return { words: [], edits: [{ kind: 'backdrop', fill: { scene: `${scene}, ${words.join(' ')}` } }] };
    }
    // "Remove the background and replace it with …" continues with the background.
    if (words[0] === 'replace' && words[1] === 'it') return alone(['replace', 'background', ...words.slice(2)], mask);
  }
  if (last?.kind === 'defocus' && keptSharp.test(words.join(' '))) return { words, edits: [] };
  if (measured(words).rest.length === 0) return null;
  const own = alone(words, mask);
  // An edit can spare one thing only: "except the dog and the cat" is rejected.
  const most = opens || head.includes('except') ? 0 : head.length - 1;
  for (let count = most; count > 0; count--) {
    const whole = alone([...head.slice(0, count), ...words], mask);
    if (whole) return own && !isAlike(own.edits, whole.edits) ? null : whole;
  }
  if (own || head.length > 0 || measured(words).amount.percent !== null) return own;
  // A first clause such as "film grain" has no verb.
  return alone(['add', ...words], mask);
}

/** "Increase the contrast and blur" has two readings; those of "darker" differ only in their place. */
const isAlike = (own: readonly Edit[], other: readonly Edit[]): boolean =>
  own.map(({ kind }) => kind).join() === other.map(({ kind }) => kind).join();

/** Reads a clause without regard to the others. */
function alone(words: readonly string[], mask: boolean): Understood | null {
  const { rest, amount } = measured(words);
  const context: Context = { amount, mask };
  const edits =
    applied(backdropRules, words, context) ??
    applied([...frameRules, ...objectRules], spelled(words, mask), context) ??
    applied([...measuredFrameRules, ...lightRules], spelled(rest, mask), context);
  return edits && { words, edits };
}

/** Without a mask, an edit can only apply to what the detectors find. */
function requireKnownNoun(edit: Edit): void {
  const noun = edit.kind === 'crop' && 'to' in edit ? edit.to : 'where' in edit ? edit.where?.noun : undefined;
  if (noun === undefined || isPart(noun)) return;
  throw new EngineError('input_invalid', 'The instruction names an object that the embedded editor cannot find.', {
    publicMessage: `"${shortened(noun)}" is not among the things that this model can find: sky, ${nouns.join(', ')}. Send a mask to mark it.`,
  });
}

function shortened(text: string): string {
  const letters = [...text.trim()];
  return letters.length > 60 ? `${letters.slice(0, 59).join('')}…` : letters.join('');
}

function refusal(clause: string): EngineError {
  return new EngineError('input_invalid', 'The embedded editor does not understand the instruction.', {
    publicMessage: `The instruction "${shortened(clause)}" is not understood. This model can: ${abilities.join('; ')}.`,
  });
}
