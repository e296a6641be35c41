/** Reads a brief for copy: its subject, features and audience, all in the client's words. */
import { tidied } from './protect.ts';
import { passages } from './sentences.ts';

export interface CopyBrief {
  /** The subject: `our wireless headphones`, `Nimbus`. */
  subject: string;
  /** Words that belong to the subject: `at Green Farm`, `that weighs 11 kg`. */
  where: string | null;
  features: string[];
  /** The people whom the copy addresses: `commuters`. */
  audience: string | null;
  /** Whole sentences of the brief. */
  statements: string[];
  /** Whether the brief consists of these sentences alone. */
  whole: boolean;
  url: string | null;
}

/** "Please write", and the kind of text: "a product description for". */
const command =
  /^(?:please\s+)?(?:(?:can|could|would) you\s+)?(?:(?:i|we)\s+(?:need|want|would like)|write|create|draft|give|make|generate|produce|compose|advertis\p{L}+|promote|announce)(?!\p{L})\s*/iu;
const kind =
  /^[^.:;,\n]{0,90}?(?<!\p{L})(?:cop(?:y|ies)|descriptions?|ads?|adverts?|advertisements?|taglines?|slogans?|posts?|captions?|emails?|newsletters?|announcements?|texts?|blurbs?|headlines?|paragraphs?|intros?|flyers?|banners?|introduction|something|campaign|page)(?!\p{L})[^.:;,\n]{0,30}?\s(?:for|about|on|of|promoting|announcing|describing)\s+/iu;
const address = /(?:https?:\/\/|www\.)\S*[^\s.,;:!?)]/iu;
const pointer =
  /(?:visit|see|find us|find out more|learn more|more|go to|order)?(?:\s+(?:at|on|us)){0,3}:?\s*(?:https?:\/\/|www\.)\S*/giu;
const subjectEnd =
  /\s*(?:[:;,.!?](?!\d)|[\n(])|\s+[–—-]\s+|\s+(?:with|that|which|who|is|are|was|has|have|had|offers?|features?|featuring|made|makes?|for|from|in|on|at|opens?|opened|serves?|sells?|helps?|lets?|comes?|runs?|keeps?|gives?|brings?|bakes?|starts?|turns?|works?|can|will|lasts?|weighs?|costs?|now|and|uses?|by)(?!\p{L})/iu;
const proper = "[\\p{Lu}\\p{N}][\\p{L}\\p{N}'’-]*";
const located = new RegExp(
  `^\\s+((?:at|in|on|from|by)\\s(?:the\\s)?${proper}(?:\\s(?:(?:at|in|on|of)\\s)?${proper})*)`,
  'u',
);
const relative = /^\s+((?:that|which|made)\s.{2,60}?)(?=\s+(?:with|for)\s|[,;:.!?](?!\d)|\n|\s[–—]|$)/iu;
const forWhom =
  /(?<!\p{L})for\s+((?:\p{L}|[ '’-]){3,60}?)(?=\s+(?:with|that|which|at|from|in|on|by|since)(?!\p{L})|[,.;:!?\n]|$)/iu;
const statement = /^\p{Lu}\S*\s+\S+\s+\S.*[.!]["”’]?$/u;
const joints =
  /\s*[;•\n]\s*|,\s*(?:and\s+)?(?![^(]*\))|\s+[–—]\s+|(?<=[^\d]):\s+|\s+with\s+|(?<=\p{L}|\p{N})[.!?](?:\s+|$)/u;
/** Marks and words at the start of a feature, and marks at its end. */
const edges =
  /^(?:[\s,;:.()–—-]|(?:and|with|that|which|who|it has|it is|it['’]s|has|have|is|are|also|plus|featuring|features?(?::| include)?|including|includes?)\s)+|(?<![\s,;:.(!–—])[\s,;:.(!–—]+$/giu;

export function readBrief(text: string): CopyBrief {
  // Runs of blanks become one, because a pattern would try to split a long run at every place.
  const lines = passages(text).flatMap(({ sentences }) => sentences.map((line) => line.replaceAll(/\s+/gu, ' ')));
  const [opener = text.trim(), ...others] = lines;
  const isRequest = command.test(opener) || kind.test(opener);
  const first = isRequest
    ? opener
        .replace(command, '')
        .replace(kind, '')
        .replace(/^(?:for|about|on|of)\s+/iu, '')
    : opener;
  const statements = (isRequest ? others : lines).filter((line) => statement.test(line) && !address.test(line));
  const whole = statements.length > 1 && !isRequest;

  const end = subjectEnd.exec(first)?.index ?? 0;
  const subject = (end > 0 ? first.slice(0, end) : first).trim().split(' ').slice(0, 9).join(' ');
  const behind = first.slice(first.indexOf(subject) + subject.length);
  const where = relative.exec(behind) ?? located.exec(behind);
  const details = whole ? [] : others.filter((line) => !statements.includes(line));
  const rest = [behind.slice(where?.[0].length ?? 0), ...details].join('\n');
  const audience = forWhom.exec(rest);
  const features = (audience ? rest.replace(audience[0], ' ; ') : rest)
    .replaceAll(pointer, ' ')
    .split(joints, 100)
    .flatMap((part) => apart(part.replaceAll(edges, '')))
    .filter((part) => part.length > 2 && /[\p{L}\p{N}]/u.test(part) && part.split(/\s+/u).length <= 14);
  return {
    subject: subject.replace(/^(?:an?|this|that)\s+/iu, ''),
    where: where?.[1] ?? null,
    features: [...new Set(features)].slice(0, 8),
    audience: audience?.[1]?.trim() ?? null,
    statements: statements.map(tidied),
    whole,
    url: address.exec(text)?.[0] ?? null,
  };
}

/** Splits the last two items of a series; "hot and cold drinks" stays whole. */
function apart(part: string): string[] {
  const sides = part.split(/\s+and\s+/u);
  return sides.length === 2 && sides.every((side) => /\S\s+\S/u.test(side)) ? sides : [part];
}
