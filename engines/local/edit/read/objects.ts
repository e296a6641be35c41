/** Rules for things and the background: removed, recoloured, hidden, replaced. */
import { wordSet } from '../../language/phrases.ts';
import type { Edit } from '../edits.ts';
import { colourOf } from './colours.ts';
import { isTrait } from './qualities.ts';
import { rule, type Context, type Rule } from './rule.ts';
import { scaled } from './words.ts';

/** Parts that are no things; the detector takes glasses for wine glasses. */
const inseparable = wordSet('background glasses smile clothes clothing eyes');

const removed = (noun = '', { amount }: Context): Edit[] | null =>
  inseparable.has(noun) || amount.level !== 1 ? null : [{ kind: 'remove', where: { noun } }];

const painting = 'make|turn|paint|dye|colour|colourise|colorize|recolour|change|tint|set';
const censor = (how: 'blur' | 'pixelate') => (): Edit[] => [{ kind: 'censor', how }];

export const objectRules: readonly Rule[] = [
  rule('hide|obscure his|her|their? face|faces', censor('blur')),
  rule('cover|censor|anonymise|anonymize up? his|her|their? face|faces', censor('pixelate')),
  rule('censor|anonymise|anonymize it|everyone|everybody|PRONOUN', censor('pixelate')),
  rule('remove|clean|clear|inpaint|retouch|heal it?', (_, { mask }) => (mask ? [{ kind: 'remove' }] : null)),
  rule('remove|hide|cut out? NOUN', ({ noun }, context) => removed(noun, context)),
  rule('remove NOUN from|off PLACE|it', ({ noun }, context) => removed(noun, context)),
  rule('add|give|apply|put it? COLOUR tint|cast|tone|hue|overlay', ({ colour = [0, 0, 0] }, { amount }) => [
    { kind: 'tint', colour, amount: scaled(amount, 0.45, 1) },
  ]),
  rule(
    'add|give|apply|put COLOUR tint|cast|tone|hue|overlay to|on|over AREA',
    ({ colour = [0, 0, 0], where }, { amount }) => [
      { kind: 'tint', colour, amount: scaled(amount, 0.45, 1), ...(where && { where }) },
    ],
  ),
  rule(`${painting} it to|into|in? COLOUR`, ({ colour = [0, 0, 0] }, { amount, mask }) => [
    mask ? { kind: 'recolour', colour } : { kind: 'tint', colour, amount: scaled(amount, 0.7, 1) },
  ]),
  ...[
    `${painting} NOUN to|into|in? COLOUR`,
    'NOUN should|in be? COLOUR',
    'make|change|set|turn? colour of NOUN to|into? COLOUR',
  ].map((pattern) =>
    rule(pattern, ({ noun = '', colour = [0, 0, 0] }, { amount }) =>
      noun === 'background' || amount.level !== 1 ? null : [{ kind: 'recolour', colour, where: { noun } }],
    ),
  ),
];

/** No scene begins like this. */
const vague =
  /^(?:it|them|something|another|different|other|better|nicer|less|more|not?|too|without|none|nothing|in|on|off|up|out|down)\b/u;

/** @param canBeScene whether the words can describe a scene; a colour always fits */
function filled(scene: string | undefined, canBeScene: boolean): Edit[] | null {
  const words = (scene ?? '').replace(/^with /u, '');
  const colour = colourOf(words.replace(/^(?:an? )?(?:plain|solid|uniform|simple|flat|clean|studio) /u, ''));
  if (colour) return [{ kind: 'backdrop', fill: colour }];
  return canBeScene && /\p{L}/u.test(words) && !vague.test(words)
    ? [{ kind: 'backdrop', fill: { scene: words } }]
    : null;
}

/** Between a thing and a place, so that the words are not only a scene. */
const placing = wordSet('on in to the it him her them me us against before over behind with');

const white: Edit[] = [{ kind: 'backdrop', fill: [1, 1, 1] }];

/** Rules for clauses whose amounts belong to a scene: "a very dark forest". */
export const backdropRules: readonly Rule[] = [
  rule('remove|drop|strip|clear background', () => white),
  rule('isolate|extract|cutout|cut out? NOUN from? background?', ({ noun }) => (noun === 'subject' ? white : null)),
  rule('make|turn|set|get? it|background? should? to? be? transparent background?', () => [
    { kind: 'backdrop', fill: 'transparent' },
  ]),
  rule('replace|change|swap|exchange|turn|transform|set background with|to|into|by|for SCENE', ({ scene }) =>
    filled(scene, true),
  ),
  rule('make|turn|paint|set|fill|colour background should? be? in|with|to? SCENE', ({ scene }) => filled(scene, false)),
  rule('background should|with|in|is be? SCENE', ({ scene }) => filled(scene, false)),
  rule('use|add|set SCENE as? background', ({ scene = '' }) => {
    const named = scene.replace(/ as(?: the| a)?$/u, '');
    return filled(named, !named.split(' ').some((word) => isTrait(word) || placing.has(word)));
  }),
  rule('put|place|set|move it|PRONOUN|NOUN on|onto|against|before|over SCENE background', ({ scene = '' }) =>
    filled(scene.replace(/^(?:an?|the) /u, ''), true),
  ),
  rule('with|on|use|give? it? COLOUR background', ({ colour = [1, 1, 1] }) => [{ kind: 'backdrop', fill: colour }]),
];
