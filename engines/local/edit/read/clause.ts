/** Cuts an instruction into clauses and takes out of each what only says how much, or nothing. */
import { amountOf, type Amount } from './amount.ts';

export interface Clause {
  /** As `text`, with its amounts: in a scene to be drawn they are part of it. */
  plain: string;
  /** Lower case, without politeness and without amounts; the image is `it`. */
  text: string;
  amount: Amount;
}

const monochrome =
  /\bblack\s*(?:and|&|n|'n'|\/|-and-)\s*white\b|\bb\s*(?:&|\/|and|n)\s*w\b|\bgr[ae]y[\s-]?scale\b|\bmonochromatic\b/giu;

/** A comma or full stop inside of a number, and `and` inside of an idiom, part nothing. */
const parting =
  /[;\n!?]+|,(?!\d)|\.(?=\s|$)|\s(?:and then|and also|then|and|also|plus|but|while|as well as)\s|\s[-–—]\s|\s&\s/giu;

export function clauses(instruction: string): string[] {
  return instruction
    .normalize('NFKC')
    .replace(/[‘’]/gu, "'")
    .replace(/[“”"`]/gu, ' ')
    .replace(monochrome, 'monochrome')
    .replace(/\b(thirds|left|right|top|bottom|shoulders?|salt|hue|light|up|fade[ds]?)\s+and\s+/giu, '$1 & ')
    .split(parting)
    .map((part) => part.trim())
    .filter((part) => !idle.test(part));
}

const idle = /^[^\p{L}\p{N}#]*$|^(?:please|thanks?|thank you|thx|and|then|also|ok|okay|hi|hello|hey)[^\p{L}]*$/iu;

const courtesy =
  /\b(?:please|kindly|pls|plz|thanks?|thank you|can you|could you|would you|will you|can we|could we|let's|i(?:'d| would) (?:like|love|prefer)(?: (?:you )?to| for)?|i (?:want|need|wish)(?: you)?(?: to)?|i think|try to|go ahead|now|just|simply|also|then|again|first(?:ly)?|second(?:ly)?|next|finally|lastly|instead|maybe|perhaps|as well|for me|too(?=$)|sure to|if possible|overall|generally|in general|everywhere)\b/gu;
const image =
  /\b(?:the|this|my|that|our)?\s*\b(?:(?:whole|entire|full|complete|input|given|attached|original)\s+)*(?:photo(?:graph)?|picture|image|pic|shot|snapshot|whole thing)s?\b(?!\s+of\b)/gu;

export function clauseOf(raw: string): Clause {
  const plain = raw
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}#-]+|[^\p{L}\p{N}%#°:]+$/gu, '')
    .replace(/\b(it|that|there|what)'s\b/gu, '$1 is')
    .replace(/(\b(?:background|backdrop)) ?: ?/gu, '$1 with ')
    .replace(/(?<=^|\s)[-−](?=\d+(?:\.\d+)?\s*(?:%|percent))/gu, 'less ')
    .replace(/(?<=^|\s)\+(?=\d)/gu, 'by ')
    .replace(courtesy, ' ')
    .replace(/\b(?:everything|all of it|this)$/gu, 'it')
    .replace(image, ' it ')
    .replace(/\s+/gu, ' ')
    .trim();
  const { rest, amount } = amountOf(plain);
  return { plain, text: rest, amount };
}
