/** Reads what changes the frame: crop, zoom, extend, rotate, straighten, flip, resize. */
import type { Edit, Sides } from '../edits.ts';
import type { Amount } from './amount.ts';
import type { Clause } from './clause.ts';
import { nounOf } from './where.ts';

const shapes: readonly (readonly [RegExp, string])[] = [
  [/\bsquare\b|\binstagram\b/u, '1:1'],
  [
    /\bwide ?screen\b|\blandscape\b|\bwallpaper\b|\bhorizontal (?:format|orientation|frame)\b|\bwide (?:format|frame)\b/u,
    '16:9',
  ],
  [/\bportrait(?: (?:format|orientation))?\b|\bvertical (?:format|orientation|frame)\b/u, '4:5'],
  [/\b(?:story|stories|reels?|tiktok|phone|mobile)\b/u, '9:16'],
  [/\bcinemascope\b|\bultra ?wide\b|\bpanoram(?:a|ic)\b/u, '21:9'],
];
const ratioed = /(\d{1,3}(?:\.\d+)?)\s*(?::|\/|x|×| by | to | on )\s*(\d{1,3}(?:\.\d+)?)(?!\d)/u;
/** 500x500 are pixels, which a ratio would get wrong in silence. */
const inPixels = /\d{3,}\s*(?:x|×|by)\s*\d{2,}|\d{2,}\s*(?:x|×|by)\s*\d{3,}/u;
const cropping = /^(?:crop|trim|cut|recrop|reframe|frame)\b/u;
const extending =
  /^(?:extend|expand|out-?paint|un-?crop|widen|enlarge the (?:canvas|frame)|add (?:more )?(?:space|room|canvas|area|sky|ground)|more (?:space|room)|make (?:the )?(?:canvas|frame|it) (?:wider|taller|bigger on)|fill (?:it )?out|fill (?:in |out |up )?(?:the )?(?:frame|canvas|space|sides|edges|borders?|new|empty|missing|ratio|rest)|zoom out|pad)\b/u;
const framing =
  /^(?:crop|trim|cut|recrop|reframe|frame|extend|expand|out-?paint|un-?crop|widen|fill|make|turn|change|convert|resize|set|get|bring|adjust|reformat|format|pad)\b/u;

export function readGeometry(clause: Clause): Edit[] | null {
  if (inPixels.test(clause.text)) return null;
  return readTurn(clause) ?? readExtension(clause) ?? readCrop(clause) ?? readSize(clause);
}

function ratioIn(text: string): string | null {
  const found = ratioed.exec(text);
  if (found && Number(found[1]) > 0 && Number(found[2]) > 0) return `${found[1] ?? ''}:${found[2] ?? ''}`;
  return shapes.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

function readTurn({ text, amount }: Clause): Edit[] | null {
  if (
    /^(?:straighten|level|align)(?: (?:out|up))?(?: it| the (?:horizon|lines|buildings?|verticals?))?(?: (?:out|up))?$|^(?:make|get) (?:it|the horizon) (?:straight|level|horizontal)$|^fix the (?:(?:crooked |tilted )?horizon|tilt)$/u.test(
      text,
    )
  ) {
    return [{ kind: 'straighten' }];
  }
  const flip = /^(?:flip|mirror|reflect|reverse)\b(.*)$|^(?:make )?(?:a )?mirror(?:ed)? image(?: of it)?$/u.exec(text);
  if (flip) {
    const how = flip[1] ?? '';
    if (
      !/^(?: it| left| right| to| & | up| upside| down| side| sides| horizontally| vertically| horizontal| vertical| along| around| over| the| on| axis| x| y| x-axis| y-axis| from| top| bottom| left-right)*$/u.test(
        how,
      )
    )
      return null;
    const vertical = /\b(?:vertical(?:ly)?|upside|up|top|bottom|y-axis)\b/u.test(how) && !/\bhorizontal/u.test(how);
    return [{ kind: 'flip', axis: vertical ? 'vertical' : 'horizontal' }];
  }
  if (/^(?:turn|flip|put)(?: it)? upside[- ]?down$|^(?:make )?(?:it )?upside[- ]down$/u.test(text))
    return [{ kind: 'rotate', degrees: 180 }];
  const turn = /^(?:rotate|turn|tilt|spin|straighten|roll)\b(?: it)?(.*)$/u.exec(text);
  if (!turn) return null;
  const how = (turn[1] ?? '').trim();
  const angle = /(-?\d+(?:\.\d+)?)/u.exec(how);
  const words = how
    .replace(angle?.[1] ?? '', '')
    .replace(/[°\s]+/gu, ' ')
    .trim();
  if (
    !/^(?:(?:by|to|the|a|an|it|degrees?|deg|clockwise|counter-?clockwise|anti-?clockwise|counter|anti|cw|ccw|left|right|side|quarter|half|turn|around|on|its|of|in|direction|upside|down|90)(?: |$))*$/u.test(
      words,
    )
  )
    return null;
  const back = /\b(?:left|counter-?clockwise|anti-?clockwise|counter|anti|ccw)\b/u.test(words);
  const plain = /\bquarter\b|\b(?:left|right|side|cw|ccw|clockwise|counter-?clockwise|anti-?clockwise)\b/u.test(words)
    ? 90
    : /\b(?:half|around|upside)\b/u.test(words)
      ? 180
      : 0;
  const slight = amount.level < 1 && plain === 90 ? 10 * amount.level : plain;
  const degrees = angle ? Number(angle[1]) : slight || (text.startsWith('rotate') ? 90 : 0);
  if (degrees === 0 || Math.abs(degrees) > 360) return null;
  return [{ kind: 'rotate', degrees: back ? -degrees : degrees }];
}

function sidesOf(text: string, { percent, level }: Amount): Sides | null {
  const share = percent ?? 20 * level;
  const has = (pattern: RegExp): number => (pattern.test(text) ? share : 0);
  const wide = /\b(?:horizontal(?:ly)?|wider|widen|width|sideways|both sides|sides|left & right)\b/u;
  const tall = /\b(?:vertical(?:ly)?|taller|height|top & bottom)\b/u;
  const all =
    /\b(?:all (?:sides|around|directions|edges|four sides)|every side|each side|zoom out|borders?|edges|around)\b/u;
  const sides: Sides = {
    left: has(/\bleft\b/u) || has(wide) / 2,
    right: has(/\bright\b/u) || has(wide) / 2,
    top: has(/\b(?:top|above|up|upwards?|sky|overhead|head)\b/u) || has(tall) / 2,
    bottom: has(/\b(?:bottom|below|down|downwards?|ground|under)\b/u) || has(tall) / 2,
  };
  if (all.test(text) && !/\bboth sides\b/u.test(text)) return { left: share, right: share, top: share, bottom: share };
  return Object.values(sides).some((side) => side > 0) ? sides : null;
}

const spatial =
  /^(?:(?:extend|expand|rest|new|empty|missing|areas|outpaint|out-paint|uncrop|un-crop|widen|enlarge|add|more|make|fill|out|zoom|pad|space|room|canvas|frame|area|sky|ground|it|the|a|an|to|of|on|at|in|with|into|by|from|for|and|&|so|is|that|its|wide|wider|taller|bigger|left|right|top|bottom|side|sides|edge|edges|border|borders|above|below|up|down|upwards?|downwards?|horizontally|horizontal|vertically|vertical|both|all|every|each|around|directions|format|aspect|ratio|square|widescreen|landscape|portrait|orientation|crop|trim|cut|off|away|reframe|recrop|frame|shape|picture|content|background|overhead|head|image|instagram|story|stories|wallpaper|reels?|phone|mobile|panorama|panoramic|width|height|hand|turn|change|convert|resize|set|get|bring|adjust|reformat|ultrawide|post|for|very|be|as|version|ends?|four|outwards?|beyond|post)(?: |$)|[\d.]+ ?(?::|x|×|\/) ?[\d.]+ ?|[\d.]+ (?:by|to|on) [\d.]+ ?)+$/u;

function readExtension({ text, amount }: Clause): Edit[] | null {
  if (!extending.test(text) && !(framing.test(text) && /\b(?:by extending|by expanding|outpaint|uncrop)/u.test(text)))
    return null;
  const plain = text
    .replace(/\bby (?:extending|expanding)(?: the| it)?(?: \p{L}+){0,2}$/u, '')
    .replace(/ (?:sky|ground)$/u, '');
  if (!spatial.test(plain.trim())) return null;
  const ratio = ratioIn(text.replace(/\blandscape to\b/u, ''));
  if (ratio) return [{ kind: 'extend', ratio }];
  const by = sidesOf(text, amount);
  if (by) return [{ kind: 'extend', by }];
  const share = amount.percent ?? 20 * amount.level;
  return [{ kind: 'extend', by: { left: share, right: share, top: share, bottom: share } }];
}

function readCrop({ text, amount }: Clause): Edit[] | null {
  const zoomed =
    /^(?:zoom|move|go|get|come)(?: it)?(?: in)?(?: closer)?(?: (?:(?:on|onto|to|into|in on|at) )?(?:the |his |her |their )?([\p{L} ]+))?$/u.exec(
      text,
    );
  if (zoomed && /\b(?:in|closer|into)\b|^zoom\b/u.test(text) && !/\bout\b/u.test(text)) {
    const noun = (zoomed[1] ?? '').replace(/^(?:in|closer)(?: (?:on|to|into))?(?: the)?\s*/u, '').trim();
    if (noun && !/^(?:it|center|centre|middle)$/u.test(noun)) return [{ kind: 'crop', to: nounOf(noun) }];
    const zoom = amount.percent === null ? 1 + 0.4 * amount.level : 1 + amount.percent / 100;
    return [{ kind: 'crop', zoom }];
  }
  const tight =
    /^(?:crop|trim|cut|reframe|frame|close[- ]?up)(?: it)?(?: (?:tight(?:ly|er)?|close(?:ly|r)?|in|down|up))*(?: (?:to|on|onto|around|at|of|for))* (?:just |only )?(?:the |his |her |their |my )?([\p{L}]+(?: [\p{L}]+)?)$/u.exec(
      text,
    );
  const size = text.replace(
    / (?:around|on|centered on|centred on|focused on|focusing on) (?:the |his |her )?[\p{L}]+$/u,
    '',
  );
  const ratio = framing.test(text) && spatial.test(size) ? ratioIn(size) : null;
  if (
    ratio &&
    (cropping.test(text) ||
      /^(?:make|turn|change|convert|resize|set|get|bring|adjust|reformat|format|fill)\b.*/u.test(text))
  )
    return [{ kind: 'crop', ratio }];
  if (!cropping.test(text) && !tight) return null;
  if (spatial.test(text)) {
    const off = sidesOf(text.replace(/^(?:crop|trim|cut)(?: it)? (?:in|down|up)\b/u, 'crop'), amount);
    if (off) return [{ kind: 'crop', off }];
  }
  if (/^(?:crop|trim)(?: it)?(?: (?:tight(?:ly|er)?|close(?:ly|r)?|in|closer in))?$/u.test(text)) {
    return [
      {
        kind: 'crop',
        zoom: amount.percent === null ? 1 + 0.3 * amount.level : 100 / Math.max(5, 100 - amount.percent),
      },
    ];
  }
  const noun = tight?.[1];
  return noun && !/^(?:out|off|it)\b/u.test(noun) ? [{ kind: 'crop', to: nounOf(noun) }] : null;
}

function readSize({ text, amount }: Clause): Edit[] | null {
  if (
    /^(?:make it|resize(?: it)?(?: to)?|scale(?: it)?(?: (?:down )?to)?|shrink(?: it)?(?: to)?|reduce(?: it)?(?: to)?) (?:half (?:the|its|of its)(?: original)? (?:size|resolution)|half as (?:big|large))$|^half the size$|^halve (?:it|the size|its size)$/u.test(
      text,
    )
  ) {
    return [{ kind: 'resize', factor: 0.5 }];
  }
  const scaledTo = /^(?:resize|scale|shrink|downscale|downsize)(?: it)?(?: down)?(?: (to))?$/u.exec(text);
  if (!scaledTo || amount.percent === null) return null;
  const factor =
    scaledTo[1] !== undefined || /^(?:resize|scale)/u.test(text) ? amount.percent / 100 : 1 - amount.percent / 100;
  return factor > 0.02 && factor < 1 ? [{ kind: 'resize', factor }] : null;
}
