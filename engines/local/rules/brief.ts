/** Reads a brief for copy: its subject, features and audience, all in the client's words. */
import { passages } from './sentences.ts';
import { tidied } from './protect.ts';

export interface CopyBrief {
  /** `our wireless headphones`, `Nimbus` */
  subject: string;
  /** `at Green Farm`, `that weighs 11 kg` */
  where: string | null;
  features: string[];
  /** `commuters` */
  audience: string | null;
  /** Whole sentences of the brief. */
  statements: string[];
  /** The brief has nothing but these sentences. */
  whole: boolean;
  url: string | null;
}

const command =
  /^(?:please\s+)?(?:(?:can|could|would) you\s+)?(?:please\s+)?(?:(?:i|we)\s+(?:need|want|would like)|write|create|draft|give|make|generate|produce|compose|advertis\p{L}+|promote|announce)(?!\p{L})\s*/iu;
const kinds =
  /^[^.:;,\n]{0,90}?(?<!\p{L})(?:cop(?:y|ies)|descriptions?|ads?|adverts?|advertisements?|taglines?|slogans?|posts?|captions?|emails?|newsletters?|announcements?|texts?|blurbs?|headlines?|paragraphs?|intros?|flyers?|banners?|introduction|something|campaign|page)(?!\p{L})[^.:;,\n]{0,30}?\s(?:for|about|on|of|promoting|announcing|describing)\s+/iu;
const determiner = /^(?:a|an|this|that)\s+/iu;
const address = /(?:https?:\/\/|www\.)\S*[^\s.,;:!?)]/gu;
const subjectEnd =
  /\s*(?:[:;,.!?](?!\d)|[\n(])|\s+[–—-]\s+|\s+(?:with|that|which|who|is|are|was|has|have|had|offers?|features?|featuring|made|makes?|for|from|in|on|at|opens?|opened|serves?|sells?|helps?|lets?|comes?|runs?|keeps?|gives?|brings?|bakes?|starts?|turns?|works?|can|will|lasts?|weighs?|costs?|now|and|uses?|by)(?!\p{L})/iu;
const opening =
  /^(?:and|with|that|which|who|it has|it is|it['’]s|has|have|is|are|also|plus|featuring|features?(?::| include)?|including|includes?)\s+/iu;
const joints =
  /\s*[;•\n]\s*|,\s*(?:and\s+)?(?![^(]*\))|\s+[–—]\s+|(?<=[^\d]):\s+|\s+with\s+|(?<=\p{L}|\p{N})[.!?](?:\s+|$)/u;

const unframed = (line: string): string => {
  const rest = line.replace(command, '');
  return rest === line && !kinds.test(line) ? line : rest.replace(kinds, '').replace(/^(?:for|about|on|of)\s+/iu, '');
};

export function readBrief(text: string): CopyBrief {
  const url = text.match(address)?.[0] ?? null;
  // A pattern would try a run of blanks in every possible split.
  const lines = passages(text).flatMap(({ sentences }) => sentences.map((line) => line.replaceAll(/\s+/gu, ' ')));
  const first = unframed(lines[0] ?? text.trim());
  const framed = first !== lines[0];
  const subject = nameOf(first);
  const statements = lines.slice(framed ? 1 : 0).filter((line) => stated.test(line) && !line.match(address));
  const behind = first.slice(first.indexOf(subject) + subject.length);
  const where = relative.exec(behind) ?? located.exec(behind);
  const whole = statements.length > 1 && !framed;
  const rest = [
    where ? behind.slice(where[0].length) : behind,
    ...(whole ? [] : lines.slice(1).filter((line) => !statements.includes(line))),
  ].join('\n');
  const audience =
    /(?<!\p{L})for\s+((?:\p{L}|[ '’-]){3,60}?)(?=\s+(?:with|that|which|at|from|in|on|by|since)(?!\p{L})|[,.;:!?\n]|$)/iu.exec(
      rest,
    );
  const plain = (audience ? rest.replace(audience[0], ' ; ') : rest).replaceAll(pointer, ' ').replaceAll(address, ' ');
  const features = plain.split(joints, 100).flatMap((part) => apart(tidyPart(part)));
  return {
    subject: subject.replace(determiner, ''),
    where: where?.[1] ?? null,
    features: [...new Set(features.filter(telling))].slice(0, 8),
    audience: audience?.[1]?.trim() ?? null,
    statements: statements.map((line) => tidied(line)),
    whole,
    url,
  };
}

const relative = /^\s+((?:that|which|made)\s.{2,60}?)(?=\s+(?:with|for)\s|[,;:.!?](?!\d)|\n|\s[–—]|$)/iu;
const proper = "[\\p{Lu}\\p{N}][\\p{L}\\p{N}'’-]*";
const located = new RegExp(
  `^\\s+((?:at|in|on|from|by)\\s(?:the\\s)?${proper}(?:\\s(?:(?:at|in|on|of)\\s)?${proper})*)`,
  'u',
);
const stated = /^\p{Lu}\S*\s+\S+\s+\S.*[.!]["”’]?$/u;
const pointer =
  /(?:visit|see|find us|find out more|learn more|more|go to|order)?(?:\s+(?:at|on|us)){0,3}:?\s*(?:https?:\/\/|www\.)\S*/giu;
const telling = (part: string): boolean =>
  /[\p{L}\p{N}]/u.test(part) && part.length > 2 && part.split(/\s+/u).length <= 14;

/** Splits the last two items of a series; "hot and cold drinks" stays whole. */
function apart(part: string): string[] {
  const sides = part.split(/\s+and\s+/u);
  return sides.length === 2 && sides.every((side) => /\S\s+\S/u.test(side)) ? sides : [part];
}

function nameOf(line: string): string {
  const end = subjectEnd.exec(line);
  const name = (end && end.index > 0 ? line.slice(0, end.index) : line).trim();
  return name.split(/\s+/u).slice(0, 9).join(' ');
}

function tidyPart(part: string): string {
  let out = part.trim();
  for (let before = ''; before !== out;) {
    before = out;
    out = out.replace(opening, '').replace(/^[\s,;:.()–—-]+|(?<![\s,;:.(!–—])[\s,;:.(!–—]+$/gu, '');
  }
  return out;
}
