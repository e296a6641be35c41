/** Reads an instruction as a list of edits. Refuses the whole instruction if it does not understand a part of it. */
import { EngineError } from '../../../contract/index.ts';
import { knownNoun, nouns } from '../../cutout/vocabulary.ts';
import { wordSet } from '../../language/phrases.ts';
import { abilities } from '../abilities.ts';
import type { Edit } from '../edits.ts';
import { readBackdrop } from './backdrop.ts';
import { clauseOf, clauses } from './clause.ts';
import { readFrame } from './frame.ts';
import { moderated, moderatedBy } from './moderate.ts';
import { readObjects } from './objects.ts';
import { protect, protectedBy, type Protection } from './protect.ts';
import { qualify } from './qualify.ts';

/** Words that open a clause of its own, and so end the description of a scene. */
const opening = wordSet(`
  make turn add give remove erase delete crop rotate flip mirror blur sharpen brighten darken lighten increase decrease reduce boost lower
  raise warm cool change replace convert apply put zoom extend expand straighten keep leave saturate desaturate soften denoise smooth
  enhance improve tint recolour recolor pixelate resize do don't without
`);
/** The start that a dependent clause takes over: "make it warmer and [make it] darker". */
const heads =
  /^(?:(?:please |can you |could you )?(?:make (?:it|the (?:photo|image|picture))|(?:turn|tone|bring|dial|crank|bump) (?:up|down)|get rid of|take out|[\p{L}]+) )/iu;
/** The part that a clause is about, so that "make the sky bluer and darker" darkens nothing else. */
const topics =
  /^(?:please )?(?:make|turn|get|keep) ((?:the|his|her|its|their) (?!photo|image|picture|pic\b|shot)[\p{L}-]+) /iu;
const determined = /^(?:the|his|her|their|its|my) /iu;
const oneThing = /^(?:the|his|her|their|its|my) [\p{L}-]+$/iu;
/** Means more after the verb of the clause before than alone: "less contrast and [less] saturation". */
const dependent =
  /^(?:the|his|her|their|its|my) |^(?:contrast|saturation|brightness|exposure|sharpness|clarity|noise|grain|vignette|colou?rs?|highlights|shadows|warmth|vibrance|details?|texture|haze|fog|blur|definition|whites|blacks)(?: a bit| slightly| a little| a lot)?$/iu;
const excepting = /\b(?:except|excluding|apart from|other than|outside|besides|around)\b/iu;
/** Names of what a mask shows. */
const shown =
  /\b(?:(?:in|of|within|inside) )?(?:this|the|that)(?: (?:marked|masked|selected|highlighted|white))? (?:area|region|part|spot|selection|mask)\b/giu;
const parts = wordSet('subject background face sky');

/** Longest clause in characters, which bounds the work of all patterns. */
const longest = 200;

export interface Setting {
  /** A mask came with the instruction. */
  mask: boolean;
}

/** @throws EngineError `input_invalid` that quotes the clause or the noun that is not understood */
export function read(instruction: string, { mask }: Setting): Edit[] {
  let edits: Edit[] = [];
  let [head, topic] = ['', ''];
  let latest = { count: 0, measured: false, excepts: false };
  let keeps = false;
  const protections: Protection[] = [];
  for (const text of clauses(instruction)) {
    const last = edits.at(-1);
    // "Remove the background and replace it with …" continues with the background.
    const part =
      last?.kind === 'backdrop' ? text.replace(/^((?:replace|swap|fill|exchange) )it\b/iu, '$1the background') : text;
    const opens = opening.has(/^\S*/u.exec(part.toLowerCase())?.[0] ?? '');
    const scene =
      last?.kind === 'backdrop' && typeof last.fill === 'object' && 'scene' in last.fill ? last.fill.scene : null;
    if (scene !== null && !opens) {
      edits = [...edits.slice(0, -1), { kind: 'backdrop', fill: { scene: `${scene}, ${part}` } }];
      continue;
    }
    if (part.length > longest) throw refusal(part);
    const kept = protectedBy(clauseOf(part));
    if (kept) {
      if (kept !== 'nothing') protections.push(kept);
      keeps = true;
      continue;
    }
    // An edit can spare one thing only: "keep the dog and the cat" is refused.
    const fellow: Protection | 'nothing' | null =
      keeps && determined.test(part) ? protectedBy(clauseOf(`keep ${part}`)) : null;
    if (fellow === 'nothing') continue;
    if (fellow) throw refusal(part);
    keeps = false;
    const less = edits.length > 0 ? moderate(edits, part, latest, mask) : null;
    if (less) {
      edits = less;
      continue;
    }
    const goesOn = head !== '' && !opens && !(latest.excepts && oneThing.test(part));
    const going = goesOn ? readClause(head + part, mask) : null;
    const own = going && dependent.test(part) ? null : readClause(part, mask);
    const same = topic !== '' && !opens && !determined.test(part) ? readClause(topic + part, mask) : null;
    const found = same ?? own ?? going ?? readTwoSides(part, mask);
    if (!found) throw refusal(part);
    const again = found.length === 1 && found[0]?.kind === 'backdrop' && last?.kind === 'backdrop';
    edits = [...(again ? edits.slice(0, -1) : edits), ...found];
    latest = { count: found.length, measured: clauseOf(part).amount.percent !== null, excepts: excepting.test(part) };
    if (own) head = heads.exec(part)?.[0] ?? '';
    if (own && !same) topic = topics.test(part) ? `make ${topics.exec(part)?.[1] ?? ''} ` : '';
  }
  const guarded = edits.length === 0 ? null : protect(edits, protections);
  if (!guarded) throw refusal(instruction);
  if (!mask) guarded.forEach(requireKnownNoun);
  return guarded;
}

/** Returns null if the clause is about something else. */
function moderate(
  edits: readonly Edit[],
  part: string,
  latest: { count: number; measured: boolean },
  mask: boolean,
): Edit[] | null {
  const excess = moderatedBy(part);
  if (excess === null) return null;
  const quality = excess === '' ? latest.count : readClause(excess, mask);
  const less = quality === null ? null : moderated(edits, quality);
  if (less && !latest.measured) return less;
  // "Not so dark" can be a new complaint about the picture.
  if (excess === '' || !/^not so\b/iu.test(part)) throw refusal(part);
  return null;
}

function readClause(raw: string, mask: boolean): Edit[] | null {
  const clause = clauseOf(mask ? raw.replace(shown, 'it') : raw);
  return readBackdrop(clause) ?? readFrame(clause) ?? readObjects(clause, mask) ?? qualify(clause);
}

/** "A vintage look with grain" */
function readTwoSides(raw: string, mask: boolean): Edit[] | null {
  const [left, right, more] = raw.split(/ with | in (?=monochrome)/u);
  if (left === undefined || right === undefined || more !== undefined) return null;
  const [first, second] = [readClause(left, mask), readClause(right, mask)];
  return first && second && [...first, ...second];
}

/** Without a mask, an edit can only apply to what the detectors find. */
function requireKnownNoun(edit: Edit): void {
  const noun = edit.kind === 'crop' && 'to' in edit ? edit.to : 'where' in edit ? edit.where?.noun : undefined;
  if (noun === undefined || parts.has(noun) || knownNoun(noun)) return;
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
