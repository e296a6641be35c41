/** Instruction → edits. What is not understood in full is refused in full. */
import { EngineError } from '../../../engine.ts';
import { knownNoun, nouns } from '../../cutout/vocabulary.ts';
import { abilities } from '../abilities.ts';
import type { Edit } from '../edits.ts';
import { readBackdrop } from './backdrop.ts';
import { clauseOf, clauses } from './clause.ts';
import { readGeometry } from './geometry.ts';
import { readObjects } from './objects.ts';
import { tempered, temperedBy, temperedLast } from './moderate.ts';
import { protect, protectedBy, type Protection } from './protect.ts';
import { qualify } from './qualify.ts';

/** A word that can open a clause of its own, and so ends the description of a scene. */
const opening =
  /^(?:make|turn|add|give|remove|erase|delete|crop|rotate|flip|mirror|blur|sharpen|brighten|darken|lighten|increase|decrease|reduce|boost|lower|raise|warm|cool|change|replace|convert|apply|put|zoom|extend|expand|straighten|keep|leave|saturate|desaturate|soften|denoise|smooth|enhance|improve|tint|recolou?r|pixelate|resize|do|don't|without)\b/iu;
/** What a clause that only goes on takes over from the one before: "make it warmer and [make it] darker". */
const heads =
  /^(?:(?:please |can you |could you )?(?:make (?:it|the (?:photo|image|picture))|(?:turn|tone|bring|dial|crank|bump) (?:up|down)|get rid of|take out|[\p{L}]+) )/iu;

/** After "keep the dog and" one more that is kept: an edit can spare only one. */
const fellow = /^(?:the|his|her|their|its|my) /iu;
const excepting = /\b(?:except|excluding|apart from|other than|outside|besides|around)\b/iu;
/** After "everything except the dog and" one more that is excepted, and nothing to be done to it. */
const thing = /^(?:the|his|her|their|its|my) [\p{L}-]+$/iu;

/** What says more after the verb of the clause before than alone: "less contrast and [less] saturation". */
const dependent =
  /^(?:the|his|her|their|its|my) |^(?:contrast|saturation|brightness|exposure|sharpness|clarity|noise|grain|vignette|colou?rs?|highlights|shadows|warmth|vibrance|details?|texture|haze|fog|blur|definition|whites|blacks)(?: a bit| slightly| a little| a lot)?$/iu;

const parts = new Set(['subject', 'background', 'face', 'sky']);

/** What a mask shows, in words. */
const shown =
  /\b(?:(?:in|of|within|inside) )?(?:this|the|that)(?: (?:marked|masked|selected|highlighted|white))? (?:area|region|part|spot|selection|mask)\b/giu;
/** Of what a clause speaks, so that "make the sky bluer and darker" does not darken the rest. */
const topics = /^(?:please )?(?:make|turn|get|keep) ((?:the|his|her|its|their) [\p{L}-]+) (?!photo|image|picture)/iu;

/** Letters of a clause, before any pattern looks at what is in it. */
const longest = 200;

export interface Setting {
  /** A mask came with the instruction. */
  mask: boolean;
}

/** What the clause before has asked for. */
interface Latest {
  count: number;
  /** It said itself how much, in percent. */
  measured: boolean;
  excepts: boolean;
}

export function read(instruction: string, { mask }: Setting): Edit[] {
  let edits: Edit[] = [];
  let head = '';
  let topic = '';
  let latest: Latest = { count: 0, measured: false, excepts: false };
  let afterKept = false;
  const protections: Protection[] = [];
  const texts = clauses(instruction.replace(/\b(everything|all|nothing) but\b/giu, '$1 except'));
  for (const text of texts) {
    // "remove the background and replace it with …" goes on about the background.
    const part =
      edits.at(-1)?.kind === 'backdrop'
        ? text.replace(/^((?:replace|swap|fill|exchange) )it\b/iu, '$1the background')
        : text;
    const scene = sceneOf(edits.at(-1));
    if (scene !== null && !opening.test(part)) {
      edits = [...edits.slice(0, -1), { kind: 'backdrop', fill: { scene: `${scene}, ${part}` } }];
      continue;
    }
    if (part.length > longest) throw refusal(part);
    const kept = protectedBy(clauseOf(part));
    if (kept !== null) {
      if (kept !== 'nothing') protections.push(kept);
      afterKept = true;
      continue;
    }
    const another = afterKept && fellow.test(part) ? protectedBy(clauseOf(`keep ${part}`)) : null;
    if (another === 'nothing') continue;
    if (another) throw refusal(part);
    afterKept = false;
    const less = edits.length > 0 ? temper(edits, part, latest, mask) : null;
    if (less) {
      edits = less;
      continue;
    }
    const goesOn = head !== '' && !opening.test(part) && !(latest.excepts && thing.test(part));
    const going = goesOn ? readClause(head + part, mask) : null;
    const own = going && dependent.test(part) ? null : readClause(part, mask);
    const same =
      topic !== '' && !opening.test(part) && !/^(?:the|his|her|its|their) /iu.test(part)
        ? readClause(topic + part, mask)
        : null;
    const found = same ?? own ?? going ?? readBothSides(part, mask);
    if (!found) throw refusal(part);
    const last = found.length === 1 && found[0]?.kind === 'backdrop' && edits.at(-1)?.kind === 'backdrop';
    edits = [...(last ? edits.slice(0, -1) : edits), ...found];
    latest = { count: found.length, measured: clauseOf(part).amount.percent !== null, excepts: excepting.test(part) };
    if (own) head = heads.exec(part)?.[0] ?? '';
    const spoken = topics.exec(part)?.[1];
    if (own && !same)
      topic = spoken !== undefined && !/ (?:photo|image|picture|shot)$/iu.test(spoken) ? `make ${spoken} ` : '';
  }
  if (edits.length === 0) throw refusal(instruction);
  const guarded = protect(edits, protections);
  if (!guarded) throw refusal(instruction);
  if (!mask) guarded.forEach(beKnown);
  return guarded;
}

/** Null where the clause is about something else. */
function temper(edits: readonly Edit[], part: string, latest: Latest, mask: boolean): Edit[] | null {
  const excess = temperedBy(part);
  if (excess === null) return null;
  const quality = excess === '' ? null : readClause(excess, mask);
  const less = quality ? tempered(edits, quality) : excess === '' ? temperedLast(edits, latest.count) : null;
  if (less && !latest.measured) return less;
  // "not so dark" may say anew what is wrong with the picture.
  if (excess === '' || !/^not so\b/iu.test(part)) throw refusal(part);
  return null;
}

function readClause(raw: string, mask: boolean): Edit[] | null {
  const clause = clauseOf(mask ? raw.replace(shown, 'it') : raw);
  return readBackdrop(clause) ?? readGeometry(clause) ?? readObjects(clause, mask) ?? qualify(clause);
}

/** "a vintage look with grain" */
function readBothSides(raw: string, mask: boolean): Edit[] | null {
  const [left, right, more] = raw.split(/ with | in (?=monochrome)/u);
  if (left === undefined || right === undefined || more !== undefined) return null;
  const [first, second] = [readClause(left, mask), readClause(right, mask)];
  return first && second && [...first, ...second];
}

function sceneOf(edit: Edit | undefined): string | null {
  return edit?.kind === 'backdrop' && typeof edit.fill === 'object' && 'scene' in edit.fill ? edit.fill.scene : null;
}

/** A thing that nobody here can find, only a mask could show. */
function beKnown(edit: Edit): void {
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
