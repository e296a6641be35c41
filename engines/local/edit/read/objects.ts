/** Reads what is to become of things in the picture: removed, recoloured, made unrecognisable. */
import type { Edit, Where } from '../edits.ts';
import { scaled } from './amount.ts';
import type { Clause } from './clause.ts';
import { colourOf } from './colours.ts';
import { qualityWords } from './qualities.ts';
import { nounOf } from './where.ts';
import { saysOnly, wordSet } from './words.ts';

const removing =
  /^(?:remove|erase|delete|get rid of|take (?:out|away)|eliminate|clean up|clean|inpaint|retouch|wipe out|rub out|cut out|edit out|photoshop out|hide|clear)(?: (?:away|out))? (.+)$/u;
/** "the marked car" */
const marked = /^(?:the |this |that )?(?:marked|masked|selected|highlighted|painted|white|covered) \p{L}+$/u;
const maskWords = wordSet(
  "the this that what what's is everything anything all whatever whatever's it them marked masked selected highlighted painted white covered area region part thing stuff object spot selection mask in under inside by of",
);
const pronoun =
  /^(?:the |an? |his |her |their |its |all |of |every |any |those |these |that |this |both |unwanted |other |some )+/u;

/** Parts of the picture that are no things. */
const facial =
  /^(?:(?:all )?(?:of )?(?:the |his |her |their |every |people's |everyone's )?(?:faces?|people's faces?|persons? faces?|identit(?:y|ies)))(?: of (?:the )?\p{L}+)?$/u;

export function readObjects(clause: Clause, hasMask: boolean): Edit[] | null {
  return readCensoring(clause) ?? readRemoval(clause, hasMask) ?? readColouring(clause, hasMask);
}

function readCensoring({ text }: Clause): Edit[] | null {
  const found =
    /^(?:(blur|obscure|hide|anonymi[sz]e|cover)|(pixelate|pixelize|censor|mosaic|pixel out))(?: out| up)? (.+)$/u.exec(
      text,
    );
  if (found && facial.test(found[3] ?? ''))
    return [{ kind: 'censor', how: found[1] === undefined || /^(?:anon|cover)/u.test(found[1]) ? 'pixelate' : 'blur' }];
  if (/^(?:make )?(?:the )?faces? (?:unrecogni[sz]able|blurr(?:y|ed)|anonymous)$/u.test(text))
    return [{ kind: 'censor', how: 'blur' }];
  if (/^(?:make )?(?:the )?faces? pixelated$/u.test(text)) return [{ kind: 'censor', how: 'pixelate' }];
  if (/^(?:anonymi[sz]e|censor)(?: (?:it|them|him|her|everyone|the (?:people|person|man|woman)))?$/u.test(text))
    return [{ kind: 'censor', how: 'pixelate' }];
  return null;
}

function readRemoval({ text }: Clause, hasMask: boolean): Edit[] | null {
  const what = removing
    .exec(text)?.[1]
    ?.replace(/ (?:(?:from|off|out of) [\p{L} ]+|in (?:it|the scene))$/u, '')
    .trim();
  if (
    hasMask &&
    /^(?:remove|erase|delete|inpaint|clean up|heal|fill in|take (?:it )?(?:away|out)|fill(?: in)?(?: the)?(?: hole| mask| area| gap)?)$/u.test(
      text,
    )
  )
    return [{ kind: 'remove' }];
  if (what === undefined) return null;
  if ((marked.test(what) || saysOnly(what, maskWords)) && (hasMask || !/object$/u.test(what)))
    return hasMask ? [{ kind: 'remove' }] : null;
  const noun = what.replace(pronoun, '').trim();
  // "remove the noise" speaks of a quality and is read elsewhere.
  if (
    !noun ||
    noun.split(' ').length > 4 ||
    noun.split(' ').some((word) => qualityWords.has(word)) ||
    /^(?:background|backdrop|bg)$/u.test(noun)
  )
    return null;
  if (/ (?:tint|cast|tinge|hue|tone)$/u.test(noun)) return null;
  if (/^(?:tint|cast|red eyes?|clothes|clothing|smile|glasses|sunglasses|colou?r)\b/u.test(noun) && !hasMask)
    return null;
  return [{ kind: 'remove', where: { noun: nounOf(noun) } }];
}

const painting =
  /^(?:make|turn|paint|dye|colou?r|colou?ri[sz]e|recolou?r|change|tint|set|switch|convert|have|shift|should|give)(?: the colou?rs? of)? (.+?)(?:'s)?(?: colou?rs?)?(?: (?:to|into|in|be|look|as|from \p{L}+ to|more|a|an|appear))* ([\p{L}-]+(?: [\p{L}-]+)?|#[\da-f]{3,6})(?: (?:colou?red|in colou?r|instead))?$/u;
const wanted =
  /^(?:the |his |her )?(.+?) (?:should be|must be|to be|becomes?|in) ((?:[\p{L}-]+ )?[\p{L}-]+|#[\da-f]{3,6})$/u;
const valued = /^(?:the )?colou?r of (.+?) (?:to |should be |is |in )?((?:[\p{L}-]+ )?[\p{L}-]+|#[\da-f]{3,6})$/u;
const tinting =
  /^(?:(?:add|give|apply|put|use|with|overlay)(?: it)? )?(?:an? |the |some |more )?(.+?)[ -](?:tint|cast|tone|toning|hue|wash|overlay|colou?r(?: (?:tint|cast|tone|overlay|wash))?)(?: (?:to|on|over) (.+))?$/u;

function readColouring({ text, amount }: Clause, hasMask: boolean): Edit[] | null {
  const tint = tinting.exec(text);
  const tintColour = tint?.[1] ? colourOf(tint[1]) : null;
  if (tint && tintColour)
    return [{ kind: 'tint', colour: tintColour, amount: scaled(amount, 0.45, 1), ...placeOf(tint[2]) }];
  const asked = valued.exec(text) ?? painting.exec(text) ?? wanted.exec(text);
  if (!asked) return null;
  // Two words may be a colour's name ("dark blue"), or the object's last word and the colour's.
  const words = (asked[2] ?? '').split(' ');
  const both = colourOf(words.join(' '));
  // "the sky blue" is no "the" that is sky blue.
  const whole = both !== null && !/^(?:the|his|her|their|its|my|a|an)$/u.test(asked[1] ?? '');
  const colour = whole ? both : colourOf(words.at(-1) ?? '');
  if (!colour) return null;
  const object = whole ? (asked[1] ?? '') : `${asked[1] ?? ''} ${words.slice(0, -1).join(' ')}`;
  const noun = object
    .replace(/(?:'s)?(?: colou?rs?)?(?: (?:to|into|in|be|look|as|more|a|an|appear|from \p{L}+))*$/u, '')
    .replace(pronoun, '')
    .replace(/'s$/u, '')
    .trim();
  if (
    /\bmore$|\bless$/u.test(object) ||
    /^(?:make|give) .*\b(?:more|less|too)\b/u.test(text) ||
    /(?:ish|er)$/u.test(words.at(-1) ?? '')
  ) {
    return null;
  }
  if (/^(?:it|colou?rs?|area|masked area|marked area|mask|selection)?$/u.test(noun)) {
    return hasMask ? [{ kind: 'recolour', colour }] : [{ kind: 'tint', colour, amount: scaled(amount, 0.7, 1) }];
  }
  if (noun.split(' ').length > 4 || /\b(?:add|with|and|wearing|holding)\b/u.test(noun)) return null;
  return [{ kind: 'recolour', colour, where: { noun: nounOf(noun) } }];
}

function placeOf(phrase: string | undefined): { where?: Where } {
  const noun = phrase?.replace(pronoun, '').trim();
  return !noun || noun === 'it' || noun === 'colours' ? {} : { where: { noun: nounOf(noun) } };
}
