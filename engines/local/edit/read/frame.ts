/** Reads clauses that change the frame: crop, zoom, extend, resize, rotate, straighten, flip. */
import { saysOnly, wordSet } from '../../language/phrases.ts';
import type { Edit, Sides } from '../edits.ts';
import type { Amount } from './amount.ts';
import type { Clause } from './clause.ts';
import { colourOf } from './colours.ts';
import { nounOf } from './nouns.ts';

const straightening = wordSet(
  'straighten level align make get fix straight horizontal out up it the horizon crooked tilted tilt lines building buildings vertical verticals',
);
const flipWords = wordSet(
  'it left right to & up upside down side sides horizontally vertically horizontal vertical along around over the on axis x y x-axis y-axis from top bottom left-right',
);
const turnWords = wordSet(
  'by to the a an it degree degrees deg clockwise counterclockwise counter-clockwise anticlockwise anti-clockwise counter anti cw ccw left right side quarter half turn around on of in direction upside down 90',
);
const cropping = wordSet('crop trim cut recrop reframe frame');
const extending = wordSet('extend expand outpaint out-paint uncrop un-crop widen pad');
const framing = wordSet('fill make turn change convert resize set get bring adjust reformat format');
/** Starts of clauses that extend, besides the verbs for it. */
const extension =
  /^(?:enlarge the (?:canvas|frame|it)|(?:add )?(?:more )?(?:space|room|canvas|area|sky|ground)|make (?:the )?(?:canvas|frame|it) (?:wider|taller|bigger on)|fill (?:it )?out|fill (?:in |out |up )?(?:the )?(?:frame|canvas|space|sides|edges|borders?|new|empty|missing|ratio|rest)|zoom out)\b/u;
const spatial = wordSet(`
  extend expand rest new empty missing areas outpaint out-paint uncrop un-crop widen enlarge add more make fill out zoom pad space room
  canvas frame area sky ground it the a an to of on at in with into by from for and & so is that wide wider taller bigger left right
  top bottom side sides edge edges border borders above below up down upward upwards downward downwards horizontally horizontal
  vertically vertical all around directions format aspect ratio square widescreen landscape portrait orientation crop trim cut off away
  reframe recrop shape content background overhead head story stories wallpaper reel reels phone mobile panorama panoramic width height
  hand turn change convert resize set get bring adjust reformat ultrawide post very be as version end ends four outward outwards beyond
  extending expanding cinemascope tiktok screen
`);
/** The first pattern that matches decides. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\bsquare\b/u, '1:1'],
  [/\bwide ?screen\b|\blandscape\b|\bwallpaper\b|\b(?:horizontal|wide) (?:format|orientation|frame)\b/u, '16:9'],
  [/\bportrait\b|\bvertical (?:format|orientation|frame)\b/u, '4:5'],
  [/\b(?:story|stories|reels?|tiktok|phone|mobile)\b/u, '9:16'],
  [/\bcinemascope\b|\bultra ?wide\b|\bpanoram(?:a|ic)\b/u, '21:9'],
];

export function readFrame({ words, amount }: Clause): Edit[] | null {
  const text = words.join(' ');
  return (
    readTurn(words, text, amount) ??
    readExtension(words, text, amount) ??
    readZoom(words, amount) ??
    readCrop(words, text, amount) ??
    readSize(words, text, amount)
  );
}

function readTurn([verb = '', ...how]: readonly string[], text: string, { level }: Amount): Edit[] | null {
  const straight = /^(?:straighten|level|align)$/u.test(verb) || /\b(?:straight|level|tilt|horizon)\b/u.test(text);
  if (
    straight &&
    /^(?:straighten|level|align|make|get|fix)$/u.test(verb) &&
    saysOnly(how, straightening) &&
    text !== 'straight'
  )
    return [{ kind: 'straighten' }];
  const upsideDown = /^(?:(?:turn|flip|put|make)(?: it)? )?(?:it )?upside[- ]?down$/u.test(text);
  if (upsideDown) return [{ kind: 'rotate', degrees: 180 }];
  if (/^(?:make )?(?:a )?mirror(?:ed)? it$/u.test(text)) return [{ kind: 'flip', axis: 'horizontal' }];
  if (/^(?:flip|mirror|reflect|reverse)$/u.test(verb)) {
    const vertical = /\b(?:vertical(?:ly)?|upside|up|top|bottom|y-axis)\b/u.test(text) && !/\bhorizontal/u.test(text);
    return saysOnly(how, flipWords) ? [{ kind: 'flip', axis: vertical ? 'vertical' : 'horizontal' }] : null;
  }
  if (!/^(?:rotate|turn|tilt|spin|straighten|roll)$/u.test(verb)) return null;
  const angle = how.find((word) => /^-?\d+(?:\.\d+)?$/u.test(word));
  if (
    !saysOnly(
      how.filter((word) => word !== angle),
      turnWords,
    )
  )
    return null;
  const back = /\b(?:left|counter-?clockwise|anti-?clockwise|counter|anti|ccw)\b/u.test(text);
  const quarter = /\b(?:quarter|left|right|side|cw|ccw|(?:counter|anti)?-?clockwise)\b/u.test(text);
  const plain = quarter ? 90 : /\b(?:half|around|upside)\b/u.test(text) ? 180 : 0;
  const slight = level < 1 && plain === 90 ? 10 * level : plain;
  const degrees = angle === undefined ? slight || (verb === 'rotate' ? 90 : 0) : Number(angle);
  return degrees === 0 || Math.abs(degrees) > 360 ? null : [{ kind: 'rotate', degrees: back ? -degrees : degrees }];
}

function readExtension(words: readonly string[], text: string, amount: Amount): Edit[] | null {
  const verb = words[0] ?? '';
  const byExtending = /\bby (?:extending|expanding)\b|\b(?:outpaint|uncrop)\b/u.test(text);
  if (!extending.has(verb) && !extension.test(text) && !(byExtending && (framing.has(verb) || cropping.has(verb))))
    return null;
  if (
    !saysOnly(
      words.filter((word) => !isRatio(word)),
      spatial,
    )
  )
    return null;
  const ratio = ratioIn(words, text.replace(/\blandscape to\b/u, ''));
  if (ratio) return [{ kind: 'extend', ratio }];
  if (amount.said === 'to') return null;
  const share = amount.percent ?? 20 * amount.level;
  const by = sidesOf(text, share) ?? { left: share, right: share, top: share, bottom: share };
  return [{ kind: 'extend', by }];
}

const zoomWords = wordSet('zoom move go get come it in closer into on onto to at the his');

function readZoom(words: readonly string[], amount: Amount): Edit[] | null {
  if (!/^(?:zoom|move|go|get|come)$/u.test(words[0] ?? '') || words.includes('out')) return null;
  if (words[0] !== 'zoom' && !words.some((word) => /^(?:in|closer|into)$/u.test(word))) return null;
  const start = words.findIndex((word) => !zoomWords.has(word));
  const noun = start < 0 ? '' : nounOf(words.slice(start));
  if (noun !== '' && !/^(?:center|centre|middle)$/u.test(noun))
    return words.length - start > 3 ? null : [{ kind: 'crop', to: noun }];
  if (amount.percent === null) return [{ kind: 'crop', zoom: 1 + 0.4 * amount.level }];
  const zoom = amount.percent / 100 + (amount.said === 'to' ? 0 : 1);
  return zoom > 1 ? [{ kind: 'crop', zoom }] : null;
}

const tightWords = wordSet(
  'tight tightly tighter close closely closer in down up to on onto around at of for only the his close-up',
);
const tight = wordSet('it tight tightly tighter close closely closer in');
const noSubject = /^(?:out|off|it|to|left|right|top|bottom|sides?|edges?)\b/u;
const focus = / (?:around|on|centered on|centred on|focused on|focusing on) (?:the |his )?[\p{L}]+$/u;

function readCrop(words: readonly string[], text: string, amount: Amount): Edit[] | null {
  const verb = words[0] ?? '';
  const crops = cropping.has(verb);
  const size = text.replace(focus, '').split(' ');
  const ratio = (crops || framing.has(verb)) && isSpatial(size) ? ratioIn(size, size.join(' ')) : null;
  if (ratio && verb !== 'format') return [{ kind: 'crop', ratio }];
  if (!crops && verb !== 'close-up') return null;
  const { percent, level, said } = amount;
  const remains = /^\w+(?: it)?(?: down)? to\b(?!.*\b(?:off|from|away)\b)/u.test(text);
  if ((said === 'to' || remains) && percent !== null) return isSpatial(words) ? keptBy(text, percent, said) : null;
  if (said !== 'to' && !remains && isSpatial(words)) {
    const off = sidesOf(text.replace(/^(\w+(?: it)?) (?:in|down|up)\b/u, '$1'), percent ?? 20 * level);
    if (off) return [{ kind: 'crop', off }];
  }
  if (/^(?:crop|trim)$/u.test(verb) && saysOnly(words.slice(1), tight))
    return [{ kind: 'crop', zoom: percent === null ? 1 + 0.3 * level : 100 / Math.max(5, 100 - percent) }];
  const start = words.findIndex((word, i) => i > 0 && !tightWords.has(word) && !(i === 1 && word === 'it'));
  const noun = words.slice(start);
  return start > 0 &&
    noun.length <= 2 &&
    !noSubject.test(noun.join(' ')) &&
    noun.every((word) => /^\p{L}/u.test(word) && !colourOf(word))
    ? [{ kind: 'crop', to: nounOf(noun) }]
    : null;
}

/** Returns the crop that leaves a share of one side, of the width or height, or of all; null if several sides remain. */
function keptBy(text: string, percent: number, said: Amount['said']): Edit[] | null {
  if (said === 'by' || percent < 5 || percent >= 100) return null;
  const off = sidesOf(text, 100 - percent);
  if (!off)
    return /\bto$|^(?:crop|trim|cut)(?: it)?(?: down)?$/u.test(text) ? [{ kind: 'crop', zoom: 100 / percent }] : null;
  if (/\b(?:width|height|horizontally|vertically)$/u.test(text)) return [{ kind: 'crop', off }];
  const opposite: Sides = { left: off.right, right: off.left, top: off.bottom, bottom: off.top };
  return Object.values(off).filter((side) => side > 0).length === 1 ? [{ kind: 'crop', off: opposite }] : null;
}

const halving =
  /^(?:make it|(?:resize|scale|shrink|reduce)(?: it)?(?: down)?(?: to)?) (?:half (?:the|of the) (?:original )?(?:size|resolution)|half as (?:large))$|^half the size$|^halve (?:it|the size)$/u;

function readSize(words: readonly string[], text: string, { percent, said }: Amount): Edit[] | null {
  if (halving.test(text)) return [{ kind: 'resize', factor: 0.5 }];
  if (percent === null || !/^(?:resize|scale|shrink|downscale|downsize)(?: it)?(?: down)?(?: to)?$/u.test(text))
    return null;
  const smaller = words.includes('down') || /^(?:shrink|down)/u.test(text);
  const share = percent / 100;
  // "By 30 %" alone can be what remains or what goes.
  if (said === 'by' && !smaller && share !== 0.5) return null;
  const factor = smaller && said !== 'to' ? 1 - share : share;
  return factor > 0.02 && factor < 1 ? [{ kind: 'resize', factor }] : null;
}

const isRatio = (word: string): boolean => /^\d+(?:\.\d+)?:\d/u.test(word);
const isSpatial = (words: readonly string[]): boolean => {
  const ratio = words.find(isRatio);
  return saysOnly(
    words.filter((word) => word !== ratio),
    spatial,
  );
};

function ratioIn(words: readonly string[], text: string): string | null {
  const found = words.find((word) => isRatio(word) && word.split(':').every((side) => Number(side) > 0));
  return found ?? shapes.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

const wide = /\b(?:horizontal(?:ly)?|wider|widen|width|sideways|sides|left & right)\b/u;
const tall = /\b(?:vertical(?:ly)?|taller|height|top & bottom)\b/u;
const all = /\b(?:all (?:sides|around|directions|edges|four sides)|each side|zoom out|borders?|edges|around)\b/u;

/** Returns the share for each side that the text names. */
function sidesOf(text: string, share: number): Sides | null {
  if (all.test(text)) return { left: share, right: share, top: share, bottom: share };
  const of = (pattern: RegExp, axis: RegExp): number => (pattern.test(text) ? share : axis.test(text) ? share / 2 : 0);
  const sides: Sides = {
    left: of(/\bleft\b/u, wide),
    right: of(/\bright\b/u, wide),
    top: of(/\b(?:top|above|up|upwards?|sky|overhead|head)\b/u, tall),
    bottom: of(/\b(?:bottom|below|down|downwards?|ground|under)\b/u, tall),
  };
  return Object.values(sides).some((side) => side > 0) ? sides : null;
}
