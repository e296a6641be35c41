/** Creates elements. Text becomes text nodes, so input and responses are never parsed as HTML. */

/**
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes] functions become event listeners; `false` and `undefined` are omitted
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any} the element
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined) continue;
    if (typeof value === 'function') element.addEventListener(name, /** @type {EventListener} */ (value));
    else if (name === 'value') /** @type {HTMLInputElement} */ (element).value = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** Returns text with the parts between backticks as `code` elements. @param {string} text @returns {Node[]} */
export const prose = (text) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : document.createTextNode(part)));

/** `paper-cut` → `Paper cut`, `negativePrompt` → `Negative prompt`. @param {string} name */
export function title(name) {
  const words = name
    .replaceAll(/[-_/]/g, ' ')
    .replaceAll(/[a-z](?=[A-Z])/g, '$& ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\b(url|dna|nsfw)\b/g, (word) => word.toUpperCase());
}
