/** Converts British spelling to American and back. */

type Pair = readonly [british: string, american: string];

const our: readonly Pair[] = 'col fav flav hon lab neighb behavi harb hum rum vap arm sav endeav od'
  .split(' ')
  .map((stem): Pair => [`${stem}our`, `${stem}or`]);
const ourEnds = '(s|ed|ing|er|ers|ful|fully|less|able|ably|hood|hoods|ly|ite|ites|y|ies|al|ally|ist|ists)?';

const ise =
  'organ real recogn apolog final special general custom personal optim summar priorit standard modern maxim minim normal visual categor critic memor symbol util energ author local digit human legal civil emphas'
    .split(' ')
    .map((stem): Pair => [`${stem}is`, `${stem}iz`]);
const iseEnds = '(e|es|ed|er|ers|ing|ation|ations|able)';

const doubled = 'travel cancel model label signal fuel level marvel counsel'
  .split(' ')
  .map((stem): Pair => [`${stem}l`, stem]);
const doubledEnds = '(ed|ing|er|ers|or|ors)';

const whole: readonly Pair[] =
  'centre center,centres centers,centred centered,theatre theater,theatres theaters,metre meter,metres meters,litre liter,litres liters,fibre fiber,fibres fibers,grey gray,greys grays,catalogue catalog,catalogues catalogs,dialogue dialog,defence defense,offence offense,jewellery jewelry,aluminium aluminum,mum mom,cosy cozy,moustache mustache,pyjamas pajamas,sceptical skeptical,learnt learned,dreamt dreamed,maths math,analyse analyze,analysed analyzed,analysing analyzing,fulfil fulfill,enrol enroll,skilful skillful,wilful willful,mould mold,plough plow,kilometre kilometer,kilometres kilometers,millimetre millimeter,centimetre centimeter,centimetres centimeters,manoeuvre maneuver,programme program,programmes programs'
    .split(',')
    .map((pair): Pair => {
      const [british = '', american = ''] = pair.split(' ');
      return [british, american];
    });
/** The American form has other meanings, so it is not converted back. */
const oneWay = new Set(['programme', 'programmes', 'learnt', 'dreamt', 'dialogue', 'mum', 'metre', 'metres']);

const sets: readonly (readonly [readonly Pair[], string])[] = [
  [our, ourEnds],
  [ise, iseEnds],
  [doubled, doubledEnds],
  [whole, ''],
];

type Respell = (text: string) => string;

function respelling(from: 0 | 1, to: 0 | 1): Respell[] {
  return sets.map(([pairs, ends]) => {
    const used = pairs.filter((pair) => from === 0 || !oneWay.has(pair[0]));
    const forms = new Map(used.map((pair) => [pair[from], pair[to]]));
    const pattern = new RegExp(`(?<!\\p{L})(${[...forms.keys()].join('|')})${ends}(?!\\p{L})`, 'giu');
    return (text: string) =>
      text.replaceAll(pattern, (word: string, stem: string) => {
        const form = (forms.get(stem.toLowerCase()) ?? stem) + word.slice(stem.length);
        return /^\p{Lu}/u.test(word) ? form.charAt(0).toUpperCase() + form.slice(1) : form;
      });
  });
}

const toAmerican = respelling(0, 1);
const toBritish = respelling(1, 0);

export function respell(text: string, spelling: 'british' | 'american'): string {
  return (spelling === 'american' ? toAmerican : toBritish).reduce((out, step) => step(out), text);
}
