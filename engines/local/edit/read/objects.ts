/** Rules for clauses without an amount, which remove, recolour, hide or replace objects or the background. */
import { wordSet } from '../../language/phrases.ts';
import type { Edit } from '../edits.ts';
import { rules, type Rule } from './rule.ts';
import { colourOf } from './slots.ts';

/** Nouns that cannot be removed: parts of other things, and glasses, which the detector takes for wine glasses. */
const inseparable = wordSet('background glasses smile clothes clothing eyes');

const painting = 'make|turn|paint|dye|colour|colourise|colorize|recolour|change|tint|set';
const censor = (how: 'blur' | 'pixelate') => (): Edit[] => [{ kind: 'censor', how }];

export const objectRules: readonly Rule[] = [
  ...rules(
    () => [],
    "keep|keeping|leave|preserve|preserving|maintain|don't|without change|touch|alter|changing? REST unchanged|untouched|intact?",
  ),
  ...rules(
    ({ noun = '' }) => [{ kind: 'monochrome', where: { noun, outside: true } }],
    'keep|leave only NOUN in? colour|coloured',
  ),
  ...rules(censor('blur'), 'hide|obscure his|her|their? face|faces'),
  ...rules(censor('pixelate'), 'cover|censor|anonymise|anonymize up? his|her|their? face|faces'),
  ...rules((_, { mask }) => (mask ? [{ kind: 'remove' }] : null), 'remove|clean|clear|inpaint|retouch|heal it?'),
  ...rules(
    ({ noun = '' }) => (inseparable.has(noun) ? null : [{ kind: 'remove', where: { noun } }]),
    'remove|hide|cut out? NOUN',
    'remove NOUN from|off PLACE|it',
  ),
  ...rules(
    ({ colour = [0, 0, 0] }, { mask }) => (mask ? [{ kind: 'recolour', colour }] : null),
    `${painting} it to|into|in? COLOUR`,
  ),
  ...rules(
    ({ noun = '', colour = [0, 0, 0] }) =>
      noun === 'background' ? null : [{ kind: 'recolour', colour, where: { noun } }],
    `${painting} NOUN to|into|in? COLOUR`,
    'NOUN should be? COLOUR',
    'make|change|set|turn? colour of NOUN to|into? COLOUR',
  ),
];

/** Words with which no scene begins. */
const vague =
  /^(?:it|them|something|another|different|other|better|nicer|less|more|not?|too|without|none|nothing|in|on|off|up|out|down)\b/u;

/** @param canBeScene whether the words can describe a scene; a colour always fits */
function filled(scene: string | undefined, canBeScene: boolean): Edit[] | null {
  const words = (scene ?? '').replace(/^with /u, '').trim();
  const colour = colourOf(words.replace(/^(?:an? )?(?:plain|solid|uniform|simple|flat|clean|studio) /u, ''));
  if (colour) return [{ kind: 'backdrop', fill: colour }];
  const fits = canBeScene && /\p{L}/u.test(words) && !vague.test(words);
  return fits ? [{ kind: 'backdrop', fill: { scene: words } }] : null;
}

/** Rules for clauses whose amounts belong to a scene: "a very dark forest". */
export const backdropRules: readonly Rule[] = [
  ...rules(
    () => [{ kind: 'backdrop', fill: [1, 1, 1] }],
    'remove|drop|strip|clear background',
    'isolate|extract|cutout|cut out? main? subject from? background?',
  ),
  ...rules(
    () => [{ kind: 'backdrop', fill: 'transparent' }],
    'make|turn|set|get? it|background? should? to? be? transparent background?',
  ),
  ...rules(
    ({ scene }) => filled(scene, true),
    'replace|change|swap|exchange|turn|transform|set background with|to|into|by|for SCENE',
    'put|place|set|move it|him|her|them|me|us|NOUN on|onto|against|before|over SCENE background',
  ),
  ...rules(
    ({ scene }) => filled(scene, false),
    'make|turn|paint|set|fill|colour background should? be? in|with|to? SCENE',
    'background should|with|in|is be? SCENE',
  ),
  ...rules(({ colour = [1, 1, 1] }) => [{ kind: 'backdrop', fill: colour }], 'with|on|use|give? it? COLOUR background'),
];
