/** Reads edits of things in the picture: removed or recoloured; and tints. */
import { saysOnly, replacements, wordSet } from '../../language/phrases.ts';
import type { Edit } from '../edits.ts';
import { scaled } from './amount.ts';
import type { Clause } from './clause.ts';
import { colourOf } from './colours.ts';
import { nounOf, withoutDeterminers } from './nouns.ts';
import { qualityWords } from './qualities.ts';

export function readObjects(clause: Clause, hasMask: boolean): Edit[] | null {
  return readRemoval(clause.words, hasMask) ?? readTint(clause) ?? readColouring(clause, hasMask);
}

const removing = replacements(`
  remove: erase, delete, take out|away, eliminate, clean, inpaint, retouch, wipe out, rub out, cut out, edit out, photoshop out, hide,
    clear, heal, fill in
`);
const maskWords = wordSet(
  'the his this that what is everything anything all whatever it them marked masked selected highlighted painted white covered area region part thing stuff object spot selection mask hole gap in under inside by of',
);
const marked = /^(?:marked|masked|selected|highlighted|painted|white|covered) \p{L}+$/u;
/** Parts that are no things, and a thing that the detector would take for a wine glass. */
const inseparable = /^(?:glasses|red eyes?|clothes|clothing|smile|colour)$|(?:^| )(?:tint|cast|tinge|hue|tone)$/u;

function readRemoval(words: readonly string[], hasMask: boolean): Edit[] | null {
  const [verb, ...rest] = removing(words);
  if (verb !== 'remove') return null;
  const from = rest.findIndex(
    (word, i) => i > 0 && (/^(?:from|off)$/u.test(word) || (word === 'out' && rest[i + 1] === 'of')),
  );
  const what = from < 0 ? rest : rest.slice(0, from);
  const noun = withoutDeterminers(what);
  const name = noun.join(' ');
  if (saysOnly(what, maskWords) || marked.test(name)) return hasMask ? [{ kind: 'remove' }] : null;
  // "Remove the noise" is about a quality.
  if (noun.length > 4 || noun.some((word) => qualityWords.has(word)) || inseparable.test(name)) return null;
  return name === 'background' ? null : [{ kind: 'remove', where: { noun: nounOf(noun) } }];
}

const giving = wordSet('add give apply put use with overlay it a an the his some more');
const tints = wordSet('tint cast tone toning hue wash overlay colour');

/** "Add a blue tint to the sky" */
function readTint({ words, amount }: Clause): Edit[] | null {
  const from = words.findIndex((word) => !giving.has(word));
  const at = words.findIndex((word, i) => i > from && tints.has(word));
  const colour = from < 0 || at < 0 ? null : colourOf(words.slice(from, at).join(' '));
  if (!colour) return null;
  const [link = 'on', ...rest] = words.slice(at).filter((word) => !tints.has(word));
  const noun = nounOf(withoutDeterminers(rest));
  if (!/^(?:to|on|over)$/u.test(link)) return null;
  const where = /^(?:it|colours|)$/u.test(noun) ? {} : { where: { noun } };
  return [{ kind: 'tint', colour, amount: scaled(amount, 0.45, 1), ...where }];
}

const painting = wordSet(
  'make turn paint dye colour colourise colourize recolour recolor change tint set switch convert have shift give',
);
const links = wordSet('to into in be should look as a an appear becomes become colour colours');
const unclear = wordSet('add with and & wearing holding more less too not without no never except');
const whole = /^(?:it|colours?|area|mask|selection|)$/u;

/** "Make the car red", "the car should be red", "colour of the car red" */
function readColouring(clause: Clause, hasMask: boolean): Edit[] | null {
  const from = clause.words.findIndex((word, i, all) => word === 'from' && colourOf(all[i + 1] ?? '') !== null);
  const words = clause.words.filter((_, i) => from < 0 || i < from || i > from + 1);
  const [verb = ''] = words;
  const stated =
    words.some((word, i) => /^(?:should|becomes?)$/u.test(word) || (word === 'in' && i > 0 && i >= words.length - 3)) ||
    /^(?:the )?colour of /u.test(words.join(' '));
  if (words.length < 3 || !(painting.has(verb) || stated)) return null;
  if (words.some((word) => unclear.has(word)) || /(?:ish|er)$/u.test(words.at(-1) ?? '')) return null;
  // Two words can name one colour, "dark blue"; but "the sky blue" names none.
  const two =
    /^(?:the|his|a|an)$/u.test(words.at(-3) ?? '') || words.length < 4 ? null : colourOf(words.slice(-2).join(' '));
  const colour = two ?? colourOf(words.at(-1) ?? '');
  if (!colour) return null;
  const object = words.slice(painting.has(verb) ? 1 : 0, two ? -2 : -1);
  while (links.has(object.at(-1) ?? '')) object.pop();
  const noun = nounOf(withoutDeterminers(object.filter((word, i) => i > 1 || !/^colours?$/u.test(word))));
  if (noun.split(' ').length > 4) return null;
  if (
    (noun === '' && words.includes('his')) ||
    noun.split(' ').some((word) => qualityWords.has(word) && !whole.test(noun))
  )
    return null;
  if (!whole.test(noun)) return [{ kind: 'recolour', colour, where: { noun } }];
  return hasMask ? [{ kind: 'recolour', colour }] : [{ kind: 'tint', colour, amount: scaled(clause.amount, 0.7, 1) }];
}
