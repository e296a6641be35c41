/** Rules for light, colour and detail: "make the sky darker", "more contrast", "it is too dull". */
import { wordSet } from '../../language/phrases.ts';
import type { Edit } from '../edits.ts';
import { editsFor, type Trait } from './qualities.ts';
import { rules, type Context, type Found, type Rule } from './rule.ts';
import { scaled } from './words.ts';

/** Returns the edits for more or less of a quality or a colour. */
function qualified(found: Found, { amount }: Context, sign: 1 | -1 = found.direction ?? 1): Edit[] | null {
  const { trait, colour, where } = found;
  const place = where ? { where } : {};
  if (colour) return [{ kind: 'tint', colour, amount: sign * scaled(amount, 0.35, 1), ...place }];
  if (!trait) return null;
  const more = sign === trait.sign;
  const special = more ? ofPart(trait, found, scaled(amount, 0.6, 1.2)) : undefined;
  if (special !== undefined) return special;
  return editsFor(trait.quality, more ? 1 : -1, amount)?.map((edit) => ({ ...edit, ...place })) ?? null;
}

const more = (found: Found, context: Context): Edit[] | null => qualified(found, context);
const less = (found: Found, context: Context): Edit[] | null => qualified(found, context, -1);

const people = wordSet('subject people person man men woman women boy girl child children baby');

/**
 * Returns the edits for a part of the image that needs others than the whole, such as a face; null if a part has no
 * such edit, undefined if the edits of the whole image also serve the part.
 */
function ofPart({ quality }: Trait, { where }: Found, amount: number): Edit[] | null | undefined {
  const defocused: Edit[] = [{ kind: 'defocus', amount }];
  const noun = where?.noun ?? '';
  if (quality === 'focus') return !where || noun === 'background' || people.has(noun) ? defocused : null;
  const hides = quality === 'blur' || quality === 'pixels';
  if (hides && !where?.outside && /^faces?$/u.test(noun)) {
    return [{ kind: 'censor', how: quality === 'blur' ? 'blur' : 'pixelate' }];
  }
  if (quality !== 'blur' && quality !== 'softness') return undefined;
  if (where?.outside) return quality === 'blur' && people.has(noun) ? defocused : undefined;
  return noun === 'background' ? defocused : undefined;
}

const look = 'look|tone|tones|colour|colours|effect|effects|filter|style|feel|vibe|mood|atmosphere|film|light';
const making = 'make|turn|get|convert|change|set|give|add|apply|should';
const tint = 'COLOUR tint|cast|tone|hue|overlay';

export const lightRules: readonly Rule[] = [
  ...rules(
    ({ noun = '' }, { amount }) => (people.has(noun) ? [{ kind: 'defocus', amount: scaled(amount, 0.6, 1.2) }] : null),
    'focus on NOUN',
    'make NOUN pop|stand out? more?',
  ),
  ...rules(
    ({ colour = [0, 0, 0], where }, { amount }) => [
      { kind: 'tint', colour, amount: scaled(amount, 0.45, 1), ...(where && { where }) },
    ],
    `add|give|apply|put it? ${tint}`,
    `add|give|apply|put ${tint} to|on|over AREA`,
  ),
  ...rules(
    ({ colour = [0, 0, 0] }, { amount, mask }) =>
      mask ? null : [{ kind: 'tint', colour, amount: scaled(amount, 0.7, 1) }],
    'make|turn|paint|colour|change|tint it to|into|in? COLOUR',
  ),
  ...rules(
    (_, { amount }) => [{ kind: 'denoise', amount: scaled(amount, 0.7, 1), where: { noun: 'face' } }],
    'smooth|smoothen|soften his|her|their|my? skin',
  ),
  ...rules(
    more,
    'VERB AREA? up|down|more?',
    'it? more? ADJECTIVE',
    `it? more? ADJECTIVE ${look}`,
    `${making} AREA? to|into|in|look|be? more? ADJECTIVE ${look}?`,
    `add|give|apply ADJECTIVE ${look}? to|on AREA`,
    'make colours more? ADJECTIVE',
    'there? should|be? be? DIRECTION QUALITY',
    'DIRECTION QUALITY of|in|on|to|from|for AREA',
    'DIRECTION COLOUR tint|cast|tone|hue?',
    'turn|bring QUALITY up',
  ),
  ...rules((found, context) => (found.trait?.quality === 'exposure' ? null : more(found, context)), 'VERB up? colours'),
  ...rules(
    less,
    `it? less ADJECTIVE ${look}?`,
    `${making} AREA? to|into|in|look|be? less ADJECTIVE ${look}?`,
    'turn|bring|tone QUALITY down',
    'AREA|colours? is? too ADJECTIVE',
  ),
];
