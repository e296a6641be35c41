/** Splits an instruction into clauses, and a clause into words that have one spelling and one meaning. */
import { replacements, wordSet } from '../../language/phrases.ts';
import { amountOf, type Amount } from './amount.ts';

export interface Clause {
  /** The words with their amounts, because a scene to draw needs them. */
  plain: readonly string[];
  /** The words without politeness and amounts; the image is `it`, and `his` stands for most determiners. */
  words: readonly string[];
  amount: Amount;
}

const monochrome = /\bblack\s*(?:and|&|n|'n'|\/|-and-)\s*white\b|\bb\s*(?:&|\/|and|n)\s*w\b|\bgr[ae]y[\s-]?scale\b/giu;

/** A comma or full stop inside a number, and an "and" between two sides, separates nothing. */
const separator =
  /[;\n!?]+|,(?!\d)|\.(?=\s|$)|\s(?:and then|and also|then|and|also|plus|but|while|as well as)\s|\s[-–—]\s|\s&\s/giu;
const idle = /^[^\p{L}\p{N}#]*$|^(?:please|thanks?|thank you|thx|and|then|also|ok|okay|hi|hello|hey)[^\p{L}]*$/iu;

export function clauses(instruction: string): string[] {
  return instruction
    .normalize('NFKC')
    .replace(/[‘’]/gu, "'")
    .replace(/[“”"`]/gu, ' ')
    .replace(monochrome, 'monochrome')
    .replace(/\b(everything|all|nothing) but\b/giu, '$1 except')
    .replace(/\b(left|right|top|bottom|up|light)\s+and\s+/giu, '$1 & ')
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => !idle.test(part));
}

/** Drops politeness, and spells a verb of three words as one. */
const courteous = replacements(`
  remove: get rid of
  : please, kindly, pls, plz, thank|thanks, thank you, can|could|would|will you, can|could we, let's, i|i'd would| like|love|prefer you| to|,
    i|i'd would| like|love|prefer for, i want|need|wish you| to|, i think, try to, go ahead, now, just, simply, also, then, again,
    first|firstly|second|secondly|next|finally|lastly, instead, maybe, perhaps, as well, for me, sure to, if possible,
    overall, generally, in general, everywhere
`);

/** Phrases that mean the same to all readers of clauses. */
const canonical = replacements(
  `
  it: all of it, whole thing, the whole thing
  background: backdrop, bg, back ground, surroundings
  faded: washed out, washed-out
  less contrast: soft|softer|soften light|lighting, light|lighting soft|softer
  vintage: old it, old-fashioned, old fashioned|school|time|times|timey|film, old-school
  blurry: out of focus
  hdr: high dynamic range, high-dynamic range
  clarity: local contrast
  temperature: colour temperature
  monochrome: remove|drop|strip|drain|without|no all| of| colour|colours, take out all| of| colour|colours, greyscale, monochromatic
  dreamy: soft focus, glow
  warm: golden hour
  auto: fix|correct|balance|adjust exposure|colour|colours|light|lighting|balance|contrast|level|levels|tone|tones,
    fix|correct|balance|adjust|improve|enhance white balance, improve|enhance light|lighting|quality|levels,
    auto enhance|correct|levels|fix|tone|adjust, auto-enhance, auto-correct, auto-levels
  lift shadows: reduce|remove|less|fewer|soften|recover|minimise|weaken harsh|dark|hard| shadow|shadows
  darken shadows: deepen|deeper shadow|shadows|blacks
  shallow-focus: portrait mode, shallow depth of field, depth of field, depth-of-field, background blur, bokeh, bokeh effect|look|blur
  square: instagram
  clean: clean|cleaned up
  pixelate face: censor|anonymise|anonymize face|faces|it|him|them|everyone|everything,
    cover up| face|faces
  blur face: obscure|hide face|faces
  don't blur face: no|without|less obscure|hide face|faces
  except: except for, apart from, other than, outside, outside of, excluding, besides
  should be: must be, to be
`,
  wordSet('the his'),
);

/** `his` stands for all determiners that must have a noun after them. */
const possessive = wordSet('his her their my our your those these every each both');
const imageNouns = wordSet('photo photograph picture image pic shot snapshot photos photographs pictures images');
const imageAdjectives = wordSet('whole entire full complete input given attached original');
const imageDeterminers = wordSet('the this my that our');
const particled = wordSet('cool darken dim mute fade');

export function clauseOf(raw: string): Clause {
  const plain = named(courteous(tokens(raw)));
  const words = plain.map((word) => {
    if (possessive.has(word)) return 'his';
    return word === 'its' ? 'the' : word.replace(/^color/u, 'colour').replace(/(minim|maxim)ize/u, '$1ise');
  });
  const { rest, amount } = amountOf(canonical(withoutParticle(words)));
  // Without a noun after it, "her" is no determiner.
  return { plain, words: rest.at(-1) === 'his' ? [...rest.slice(0, -1), 'him'] : rest, amount };
}

/** The numbers of a ratio become one token: "16 by 9" is `16:9`. */
const ratio = /(?<![\d.])(\d{1,3}(?:\.\d+)?)\s*(:|\/|x|×| by | to | on )\s*(\d{1,3}(?:\.\d+)?)(?![\d.])(?!\s*%)/gu;
const token =
  /#[\da-f]+|\d+(?:\.\d+)?:\d+(?:\.\d+)?|(?<![\p{L}\d])-?\d+(?:[.,]\d+)?%?|[\p{L}\p{M}][\p{L}\p{M}\p{N}'-]*|\S/gu;

function tokens(raw: string): string[] {
  const text = raw
    .toLowerCase()
    .replace(/\b(it|that|there|what)'s\b/gu, '$1 is')
    .replace(/(\b(?:background|backdrop)) ?: ?/gu, '$1 with ')
    .replace(/(?<=^|\s)[-−](?=\d+(?:\.\d+)?\s*(?:%|percent))/gu, 'less ')
    .replace(/(?<=^|\s)\+(?=\d)/gu, 'by ')
    .replace(/(\d)\s*(?:%|per ?cent\b)/gu, '$1% ')
    .replace(/(\d)\s*°/gu, '$1 degrees ')
    .replace(ratio, (whole, a: string, by: string, b: string) =>
      /[x×y]/u.test(by) && Math.max(+a, +b) >= 100 && Math.min(+a, +b) >= 10 ? whole : ` ${a}:${b} `,
    );
  return (text.match(token) ?? []).filter((word) => /[\p{L}\p{N}&]/u.test(word) || !/^\p{P}/u.test(word));
}

/** Names the image `it`, with all that belongs to it: "this whole photo". "Image of …" is no name for it. */
function named(words: readonly string[]): string[] {
  const out: string[] = [];
  words.forEach((word, i) => {
    const last = i === words.length - 1;
    if (imageNouns.has(word) && words[i + 1] !== 'of') {
      while (imageAdjectives.has(out.at(-1) ?? '')) out.pop();
      if (imageDeterminers.has(out.at(-1) ?? '')) out.pop();
      out.push('it');
    } else if (last && (word === 'everything' || word === 'this')) out.push('it');
    else if (!last || word !== 'too') out.push(word);
  });
  return out;
}

/** In "cool it down", the particle belongs to the verb and reverses nothing. */
function withoutParticle(words: readonly string[]): readonly string[] {
  const verb = words.findIndex((word) => particled.has(word));
  const particle = words.findIndex((word, i) => i > verb && i <= verb + 4 && /^(?:down|off|out)$/u.test(word));
  return verb < 0 || particle < 0 ? words : words.filter((_, i) => i !== particle);
}
