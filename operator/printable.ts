/** Makes texts of clients safe to print on a terminal. */

/**
 * Control characters, which a terminal executes, and the marks that change the direction of text, with which one text
 * can look like another.
 */
const unsafe = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2028\u2029\u2066-\u2069]/gu;

/** Returns the text with each unsafe character as its escape sequence in JSON: `\u001b` for Escape. */
export function printable(text: string): string {
  return text.replaceAll(unsafe, escape);
}

/**
 * Returns JSON with the same value. `JSON.stringify` itself leaves some unsafe characters in texts.
 * @param indentation spaces per level; 0: one line
 */
export function printableJson(value: unknown, indentation = 2): string {
  const json = JSON.stringify(value, null, indentation);
  // The line breaks are those of the indentation.
  return json.replaceAll(unsafe, (character) => (character === '\n' ? character : escape(character)));
}

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
