/** Detects English, the only language whose words the rules know. */

const list = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const english = list(
  'the a an and or of to in is are was were be been it its this that these those for with on at by from as we you they he she i our your their his her not but if when because have has had will would can could do does did there which who what so than more all my me us them into about over after before please thanks thank new very really see get make one two out up now just here how why where no yes any some many other only often then also should must good',
);
const foreign = list(
  'der die das und ist ein eine einen dem den nicht mit auf für von im zu sich des wir sie er es auch le la les et est un une des du dans pour que qui sur avec pas ce el los las en una con por para del se es il di che per non sono os um uma não com het de een en van is op te zijn och att det som på är jag vi nie się jest na że och',
);

export function speaksEnglish(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters > 0 && latin * 2 < letters) return false;
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  let own = 0;
  let others = 0;
  for (const word of words) {
    if (english.has(word)) own++;
    if (foreign.has(word) && !english.has(word)) others++;
  }
  if (own === 0 && others === 0) return !/[äöüßéèêàçñãõåøłążśćę¿¡]/iu.test(text);
  return own > others || own / words.length > 0.25;
}
