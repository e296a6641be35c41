/** Rules for light, colour and detail: "make the sky darker", "more contrast", "it is too dull". */
import { wordSet } from '../../language/phrases.ts';
import type { Edit } from '../edits.ts';
import type { Found } from './forms.ts';
import { asChange, editsFor, type Trait } from './qualities.ts';
import { rule, type Context, type Rule } from './rule.ts';
import { scaled } from './words.ts';

/** Returns the edits for more (1) or less (-1) of a quality or a colour. */
function qualified(found: Found, context: Context, sign: 1 | -1 = found.direction ?? 1): Edit[] | null {
  const { trait, colour, where, pronoun } = found;
  const place = where ? { where } : {};
  const { amount } = context;
  if (colour) return pronoun ? null : [{ kind: 'tint', colour, amount: sign * scaled(amount, 0.35, 1), ...place }];
  if (!trait) return null;
  const directed = found.direction !== undefined || trait.wordClass !== 'noun';
  const change = asChange(trait.quality, sign === trait.sign ? 1 : -1, directed, amount);
  if (!change || (pronoun && trait.quality !== 'blur')) return null;
  const special = change[0] > 0 ? ofPart(trait, found, scaled(change[1], 0.6, 1.2)) : undefined;
  if (special !== undefined) return special;
  return editsFor(trait.quality, ...change)?.map((edit) => ({ ...edit, ...place })) ?? null;
}

const people = wordSet('subject people person man men woman women boy girl child children baby');
/** Parts whose sharpness means that the background of the picture is blurred. */
const subjects = wordSet('boys girls kid kids couple dog dogs cat cats horse bird');

/** Returns the edit for the background or a face, which is not the one of the whole image; undefined if there is none. */
function ofPart({ quality }: Trait, { where, said }: Found, amount: number): Edit[] | null | undefined {
  const defocused: Edit[] = [{ kind: 'defocus', amount }];
  const name = where?.noun ?? '';
  const behind = where !== undefined && name === 'background' && !where?.outside;
  if (quality === 'focus') return !where || behind || people.has(name) || subjects.has(name) ? defocused : null;
  if (quality !== 'blur' && quality !== 'pixels' && quality !== 'softness') return undefined;
  if (quality !== 'pixels' && behind) return defocused;
  if (where?.outside) return quality === 'blur' && people.has(name) ? defocused : undefined;
  if (said !== 'face' && said !== 'faces') return undefined;
  return quality === 'softness' ? undefined : [{ kind: 'censor', how: quality === 'blur' ? 'blur' : 'pixelate' }];
}

const look = 'look|tone|tones|colour|colours|effect|effects|filter|style|feel|vibe|mood|atmosphere|film|light';
const making = 'make|turn|get|convert|change|set|keep|give|add|apply|should';

/** "The contrast is too low" asks for more of it. */
const complaint = (found: Found): 1 | -1 => (found.direction === -1 ? 1 : -1);

/** A quality without a verb, which only a clause without another one before it can mean: "film grain". */
export const bareQuality = rule('QUALITY', (found, context) =>
  context.amount.percent === null ? qualified({ ...found, direction: 1 }, context) : null,
);

export const lightRules: readonly Rule[] = [
  rule('keep|leave only NOUN in? colour|coloured', ({ noun = '' }) => [
    { kind: 'monochrome', where: { noun, outside: true } },
  ]),
  rule('focus|put on? focus? on? NOUN', ({ noun }, { amount }) =>
    noun !== undefined && people.has(noun) ? [{ kind: 'defocus', amount: scaled(amount, 0.6, 1.2) }] : null,
  ),
  rule('make NOUN pop|stand out? more?', ({ noun }, { amount }) =>
    noun !== undefined && people.has(noun) ? [{ kind: 'defocus', amount: scaled(amount, 0.6, 1.2) }] : null,
  ),
  rule('VERB AREA? up|down|out|more?', (found, context) => qualified(found, context)),
  rule('VERB up? colours', (found, context) =>
    found.trait?.quality === 'exposure' ? null : qualified(found, context),
  ),
  ...['it?', `${making} AREA? to|into|in|look|be?`].flatMap((start) => [
    rule(`${start} more? ADJECTIVE ${look}?`, (found, context) => qualified(found, context)),
    rule(`${start} less ADJECTIVE ${look}?`, (found, context) => qualified(found, context, -1)),
  ]),
  rule(`add|give|apply ADJECTIVE ${look}? to|on AREA`, (found, context) => qualified(found, context)),
  rule(`make colours more? ADJECTIVE`, (found, context) => qualified(found, context)),
  rule(`${making}? AREA? COMPARATIVE`, (found, context) => qualified(found, context)),
  rule('there? should|be? be? DIRECTION QUALITY', (found, context) => qualified(found, context)),
  rule('DIRECTION QUALITY of|in|on|to|from|for AREA', (found, context) => qualified(found, context)),
  rule('DIRECTION COLOUR tint|cast|tone|hue?', (found, context) => qualified(found, context)),
  rule('turn|bring|tone|dial QUALITY up', (found, context) => qualified(found, context, 1)),
  rule('turn|bring|tone|dial QUALITY down', (found, context) => qualified({ ...found, direction: -1 }, context)),
  rule('give|add? it? DEGREE QUALITY', (found, context) => qualified(found, context)),
  rule('set|change? QUALITY of|in? AREA?', (found, context) =>
    context.amount.percent === null ? null : qualified(found, context),
  ),
  rule('QUALITY is too? DEGREE', (found, context) => qualified(found, context, complaint(found))),
  rule('AREA? is? too ADJECTIVE', (found, context) => qualified(found, context, -1)),
  rule('colours is? too ADJECTIVE', (found, context) => qualified(found, context, -1)),
];
