/** Puts untrusted text between tags that it cannot close, and takes the power from words that chat templates act on. */
import { createHash } from 'node:crypto';

/** Servers that render chat templates themselves may read these inside a message as its end. */
const controls = /<(?=[|｜][^<>\s]{1,40}[|｜]>)|<(?=(?:start|end)_of_turn>)|\[(?=\/?INST\])|<(?=<\/?SYS>>)/gu;

/** The text as a model may see it: the same to people, plain to templates. */
export function defuse(text: string): string {
  return text.replaceAll(controls, (sign) => `${sign} `);
}

/** @param tag the plain name; a text that holds it gets one that the text cannot foresee */
export function quote(tag: string, text: string): string {
  const holdsTag = new RegExp(`<\\s*/?\\s*${tag}`, 'iu').test(text);
  const name = holdsTag ? `${tag}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}` : tag;
  return `<${name}>\n${defuse(text)}\n</${name}>`;
}
