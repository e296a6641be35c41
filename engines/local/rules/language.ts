/** The common words of English and of other languages, by which the rules detect English. */
import { wordSet } from '../language/phrases.ts';

const english = wordSet(
  'the a an and or of to in is are was were be been it its this that these those for with on at by from as we you they he she i our your their his her not but if when because have has had will would can could do does did there which who what so than more all my me us them into about over after before please thanks thank new very really get make one two out up now just here how why where no yes any some many other only often then also should must good',
);
const foreign = wordSet(
  'der die das und ist sind ein eine einen einem einer dem den nicht mit auf für von im zu sich des wir sie er es auch als an aus bei durch haben ihr ihre wird werden wurde dass oder aber wie noch nur zum zur über le la les et est un une des du dans pour que qui sur avec pas ce el los las y en una con por para del se su como lo más fue es il di che per non sono os um uma não com het de een en van is op te zijn och att det som på är jag vi nie się jest na że och',
);

/** Words that say nothing about the subject of a text. */
export const isCommon = (word: string): boolean => english.has(word) || foreign.has(word);

export function speaksEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin * 2 < letters) return false;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const own = words.filter((word) => english.has(word)).length;
  const others = words.filter((word) => foreign.has(word) && !english.has(word)).length;
  if (own === 0 && others === 0) return !/[äöüßéèêàçñãõåøłążśćę¿¡]/iu.test(text);
  return own > others || own / words.length > 0.25;
}
