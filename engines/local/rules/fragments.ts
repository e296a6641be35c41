/** Splits a prompt into fragments and classifies them. */

export const kinds = ['subject', 'setting', 'light', 'composition', 'style'] as const;
export type Kind = (typeof kinds)[number];

export interface Fragment {
  text: string;
  kind: Kind;
}

const style =
  /\b(?:styles?|styled|watercolou?r|painting|paint|oil on|acrylic|gouache|illustrat\p{L}*|photo(?:graph\p{L}*|realis\p{L}*)?|render(?:ed|ing)?|anime|cartoon|comic|sketch|drawing|pencil|ink|charcoal|engraving|linocut|woodblock|ukiyo-e|mosaic|fresco|impressionis\p{L}*|surreal\p{L}*|minimalis\p{L}*|art (?:deco|nouveau)|pop art|pixel art|low[ -]poly|vector|flat design|cel[ -]shad\p{L}*|film still|cinematic|palette|colou?rs?|tones?|monochrome|black and white|pastels?|texture\p{L}*|brushwork|brush ?strokes?|highly detailed|detailed?|mood|atmospher\p{L}*|4k|8k|hdr|vintage|retro|baroque|gothic|studio ghibli)\b/iu;
const light =
  /\b(?:light(?:ing|s)?|lit|back-?lit|sunlight|moonlight|candlelight|daylight|sunset|sunrise|dawn|dusk|twilight|golden hour|blue hour|glow\p{L}*|shadows?|overcast|shin(?:e|ing)|rays?|sunny|haz[ey]|noon|evening|morning|night)\b/iu;
const composition =
  /\b(?:compos(?:ed|ition\p{L}*)|close-?up|wide(?:[ -]angle| shot| view)?|panoram\p{L}*|aerial|bird['’]?s[ -]eye|worm['’]?s[ -]eye|overhead|top[ -]down|viewpoint|view|angle|perspective|symmetr\p{L}*|centred|centered|rule of thirds|framed?|framing|foreground|focal point|depth of field|bokeh|macro|full[ -]body|portrait orientation|empty space|negative space|shot)\b/iu;
const setting =
  /^(?:in|on|at|by|near|under|inside|outside|against|before|beside|among|above|over|beneath|set (?:in|on|at)|high (?:in|above)|with .{1,60}\b(?:behind|background|underfoot))\b|\b(?:background|backdrop|landscape|surroundings|setting)\b/iu;

/** A fragment that continues the one before it cannot be moved. */
const leaning =
  /^(?:and|or|but|who|whose|which|that|where|while|as|with (?!soft|clear|warm|gentle)|his|her|its|their|wearing|holding|carrying|looking|standing|sitting|running|made|surrounded|covered|filled|\p{L}+ing (?!light|view|shot|horizon|signs|window))/iu;

const kindOf = (text: string): Kind => {
  if (composition.test(text)) return 'composition';
  if (style.test(text)) return 'style';
  if (light.test(text)) return 'light';
  return setting.test(text) ? 'setting' : 'subject';
};

/** The first fragment is the subject, unless it is only a medium, such as "watercolor", and another fragment can be it. */
export function fragmentsOf(prompt: string): Fragment[] {
  const parts: string[] = [];
  for (const part of prompt.split(/(?<!\s)\s*[,;、，\n]\s*/u)) {
    const text = part.trim();
    if (text === '') continue;
    const last = parts.length - 1;
    if (last >= 0 && leaning.test(text)) parts[last] = `${parts[last] ?? ''}, ${text}`;
    else parts.push(text);
  }
  const found = parts.map((text) => ({ text, kind: kindOf(text) }));
  const [first, ...others] = found;
  const medium =
    first?.kind === 'style' && !/\s\S+\s/u.test(first.text) && others.some(({ kind }) => kind === 'subject');
  if (first && !medium) first.kind = 'subject';
  return found;
}

export const mentions = (prompt: string, kind: 'light' | 'composition' | 'style'): boolean =>
  ({ light, composition, style })[kind].test(prompt);
