/** Quotes untrusted text in tags that it cannot close, and breaks control words of chat templates. */
import { createHash } from 'node:crypto';

/** Servers that render chat templates may interpret these inside a message as its end. */
const controls = /<(?=[|｜][^<>\s]{1,40}[|｜]>)|<(?=(?:start|end)_of_turn>)|\[(?=\/?INST\])|<(?=<\/?SYS>>)/gu;

/** Returns the text with control words broken: people read the same, templates read plain text. */
export function defuse(text: string): string {
  return text.replaceAll(controls, (sign) => `${sign} `);
}

/** @param tag name of the tag; a text that contains it gets an unpredictable name instead */
export function quote(tag: string, text: string): string {
  const holdsTag = new RegExp(`<\\s*(?:/\\s*)?${tag}`, 'iu').test(text);
  const name = holdsTag ? `${tag}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}` : tag;
  return `<${name}>\n${defuse(text)}\n</${name}>`;
}
