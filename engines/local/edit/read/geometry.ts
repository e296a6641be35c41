/** Reads what changes the frame: crop, zoom, extend, resize; turns are read on their own. */
import type { Edit } from '../edits.ts';
import type { Clause } from './clause.ts';
import { isSpatial, ratioIn, sidesOf } from './spatial.ts';
import { readTurn } from './turning.ts';
import { nounOf } from './where.ts';

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

function readExtension({ text, amount }: Clause): Edit[] | null {
  if (!extending.test(text) && !(framing.test(text) && /\b(?:by extending|by expanding|outpaint|uncrop)/u.test(text)))
    return null;
  const plain = text
    .replace(/\bby (?:extending|expanding)(?: the| it)?(?: \p{L}+){0,2}$/u, '')
    .replace(/ (?:sky|ground)$/u, '');
  if (!isSpatial(plain.trim())) return null;
  const ratio = ratioIn(text.replace(/\blandscape to\b/u, ''));
  if (ratio) return [{ kind: 'extend', ratio }];
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
  const ratio = framing.test(text) && isSpatial(size) ? ratioIn(size) : null;
  if (
    ratio &&
    (cropping.test(text) ||
      /^(?:make|turn|change|convert|resize|set|get|bring|adjust|reformat|format|fill)\b.*/u.test(text))
  )
    return [{ kind: 'crop', ratio }];
  if (!cropping.test(text) && !tight) return null;
  if (isSpatial(text)) {
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
