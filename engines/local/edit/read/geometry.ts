/** Reads what changes the frame: crop, zoom, extend, resize; turns are read on their own. */
import type { Edit, Sides } from '../edits.ts';
import type { Amount } from './amount.ts';
import type { Clause } from './clause.ts';
import { isSpatial, ratioIn, sidesOf } from './spatial.ts';
import { readTurn } from './turning.ts';
import { nounOf } from './where.ts';

/** 500x500 are pixels, which a ratio would get wrong in silence. */
const inPixels = /\d{3,}\s*(?:x|×|by)\s*\d{2,}|\d{2,}\s*(?:x|×|by)\s*\d{3,}/u;
const cropping = /^(?:crop|trim|cut|recrop|reframe|frame)\b/u;
const extending =
  /^(?:extend|expand|out-?paint|un-?crop|widen|enlarge the (?:canvas|frame)|add (?:more )?(?:space|room|canvas|area|sky|ground)|more (?:space|room)|make (?:the )?(?:canvas|frame|it) (?:wider|taller|bigger on)|fill (?:it )?out|fill (?:in |out |up )?(?:the )?(?:frame|canvas|space|sides|edges|borders?|new|empty|missing|ratio|rest)|zoom out|pad)\b/u;
/** Says what remains, not what goes. */
const keeping = /^(?:crop|trim|cut|recrop|reframe|frame)(?: it)?(?: down)? to\b(?!.*\b(?:off|from|away)\b)/u;
const framing =
  /^(?:crop|trim|cut|recrop|reframe|frame|extend|expand|out-?paint|un-?crop|widen|fill|make|turn|change|convert|resize|set|get|bring|adjust|reformat|format|pad)\b/u;

export function readGeometry(clause: Clause): Edit[] | null {
  if (inPixels.test(clause.text)) return null;
  return readTurn(clause) ?? readExtension(clause) ?? readCrop(clause) ?? readSize(clause);
}

function readExtension({ text, amount }: Clause): Edit[] | null {
  if (!extending.test(text) && !(framing.test(text) && /\b(?:by extending|by expanding|outpaint|uncrop)/u.test(text)))
    return null;
  const plain = text
    .replace(/\bby (?:extending|expanding)(?: the| it)?(?: \p{L}+){0,2}$/u, '')
    .replace(/ (?:sky|ground)$/u, '');
  if (!isSpatial(plain.trim())) return null;
  const ratio = ratioIn(text.replace(/\blandscape to\b/u, ''));
  if (ratio) return [{ kind: 'extend', ratio }];
  if (amount.said === 'to') return null;
  const share = amount.percent ?? 20 * amount.level;
  const by = sidesOf(text, share);
  if (by) return [{ kind: 'extend', by }];
  return [{ kind: 'extend', by: { left: share, right: share, top: share, bottom: share } }];
}

function readCrop({ text, amount }: Clause): Edit[] | null {
  const zoomed =
    /^(?:zoom|move|go|get|come)(?: it)?(?: in)?(?: closer)?(?: (?:(?:on|onto|to|into|in on|at) )?(?:the |his |her |their )?([\p{L} ]+))?$/u.exec(
      text,
    );
  if (zoomed && /\b(?:in|closer|into)\b|^zoom\b/u.test(text) && !/\bout\b/u.test(text)) {
    const noun = (zoomed[1] ?? '')
      .replace(/^(?:to|at)$/u, '')
      .replace(/^(?:in|closer)(?: (?:on|to|into))?(?: the)?\s*/u, '')
      .trim();
    if (noun && !/^(?:it|center|centre|middle)$/u.test(noun)) return [{ kind: 'crop', to: nounOf(noun) }];
    if (amount.percent === null) return [{ kind: 'crop', zoom: 1 + 0.4 * amount.level }];
    const zoom = amount.percent / 100 + (amount.said === 'to' ? 0 : 1);
    return zoom > 1 ? [{ kind: 'crop', zoom }] : null;
  }
  const tight =
    /^(?:crop|trim|cut|reframe|frame|close[- ]?up)(?: it)?(?: (?:tight(?:ly|er)?|close(?:ly|r)?|in|down|up))*(?: (?:to|on|onto|around|at|of|for))* (?:just |only )?(?:the |his |her |their |my )?([\p{L}]+(?: [\p{L}]+)?)$/u.exec(
      text,
    );
  const size = text.replace(
    / (?:around|on|centered on|centred on|focused on|focusing on) (?:the |his |her )?[\p{L}]+$/u,
    '',
  );
  const ratio = framing.test(text) && isSpatial(size) ? ratioIn(size) : null;
  if (
    ratio &&
    (cropping.test(text) ||
      /^(?:make|turn|change|convert|resize|set|get|bring|adjust|reformat|format|fill)\b.*/u.test(text))
  )
    return [{ kind: 'crop', ratio }];
  if (!cropping.test(text) && !tight) return null;
  const isKept = amount.said === 'to' || keeping.test(text);
  if (isKept && amount.percent !== null) return isSpatial(text) ? kept(text, amount.percent, amount) : null;
  if (!isKept && isSpatial(text)) {
    const off = sidesOf(
      text.replace(/^(?:crop|trim|cut)(?: it)? (?:in|down|up)\b/u, 'crop'),
      amount.percent ?? 20 * amount.level,
    );
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
  return noun && !/^(?:out|off|it|to|left|right|top|bottom|sides?|edges?)\b/u.test(noun)
    ? [{ kind: 'crop', to: nounOf(noun) }]
    : null;
}

/** What is cut away so that a share remains: of a side, of the width or height, or of all; null where several sides remain. */
function kept(text: string, percent: number, { said }: Amount): Edit[] | null {
  if (said === 'by' || percent < 5 || percent >= 100) return null;
  const off = sidesOf(text, 100 - percent);
  if (!off)
    return /\bto$|^(?:crop|trim|cut)(?: it)?(?: down)?$/u.test(text) ? [{ kind: 'crop', zoom: 100 / percent }] : null;
  if (/\b(?:width|height|horizontally|vertically)$/u.test(text)) return [{ kind: 'crop', off }];
  const named = Object.values(off).filter((side) => side > 0);
  const opposite: Sides = { left: off.right, right: off.left, top: off.bottom, bottom: off.top };
  return named.length === 1 ? [{ kind: 'crop', off: opposite }] : null;
}

function readSize({ text, amount }: Clause): Edit[] | null {
  if (
    /^(?:make it|resize(?: it)?(?: to)?|scale(?: it)?(?: (?:down )?to)?|shrink(?: it)?(?: to)?|reduce(?: it)?(?: to)?) (?:half (?:the|its|of its)(?: original)? (?:size|resolution)|half as (?:big|large))$|^half the size$|^halve (?:it|the size|its size)$/u.test(
      text,
    )
  ) {
    return [{ kind: 'resize', factor: 0.5 }];
  }
  const isScaling = /^(?:resize|scale|shrink|downscale|downsize)(?: it)?(?: down)?(?: to)?$/u.test(text);
  if (!isScaling || amount.percent === null) return null;
  const share = amount.percent / 100;
  const smaller = /\bdown\b|^(?:shrink|down)/u.test(text);
  // "by 30 %" alone may be what remains or what goes.
  if (amount.said === 'by' && !smaller && share !== 0.5) return null;
  const factor = smaller && amount.said !== 'to' ? 1 - share : share;
  return factor > 0.02 && factor < 1 ? [{ kind: 'resize', factor }] : null;
}
