/** Controls for text: one line, several lines, a list with one item per line, and pairs. */
import { h } from '../elements.js';

/** @typedef {import('./index.js').Control} Control @typedef {import('./index.js').Context} Context */
/** @typedef {import('../schema.js').Schema} Schema */

/** Maximum characters of a field with one line. A field that allows more has several. */
const maxOneLine = 500;

/** @param {Schema} schema @param {Context} context @returns {Control} */
export function text(schema, { id, required, changed }) {
  const { maxLength = Infinity, examples = [], format } = schema;
  const address = format === 'webhook-url';
  const attributes = { id, input: changed, 'aria-required': required, placeholder: examples[0] };
  const input =
    maxLength > maxOneLine && !address
      ? h('textarea', { ...attributes, rows: 3, maxlength: maxLength })
      : h('input', { ...attributes, type: address ? 'url' : 'text', maxlength: maxLength, autocomplete: 'off' });
  return {
    element: input,
    input,
    peek: () => (input.value.trim() === '' ? undefined : input.value),
    set: (value) => (input.value = value === undefined ? '' : String(value)),
  };
}

/** @param {Schema} schema @param {Context} context @returns {Control} */
export function lines(schema, { id, changed }) {
  const input = h('textarea', { id, rows: 3, input: changed, placeholder: schema.examples?.[0]?.join('\n') });
  return {
    element: h('div', {}, input, h('p', { class: 'hint' }, 'One per line.')),
    input,
    peek: () => filled(input.value),
    set: (value) => (input.value = Array.isArray(value) ? value.join('\n') : ''),
  };
}

/** @param {Schema} _schema @param {Context} context @returns {Control} */
export function pairs(_schema, { id, changed }) {
  const input = h('textarea', { id, rows: 2, input: changed, placeholder: 'order: 4711' });
  return {
    element: h('div', {}, input, h('p', { class: 'hint' }, 'One per line, as name: value')),
    input,
    peek: () => {
      const parts = filled(input.value)?.map((line) => /^([^:]*):?\s*(.*)$/.exec(line) ?? []);
      return parts && Object.fromEntries(parts.map(([, name = '', value = '']) => [name.trim(), value]));
    },
    set: (value) =>
      (input.value = Object.entries(value ?? {})
        .map(([name, one]) => `${name}: ${one}`)
        .join('\n')),
  };
}

/** @param {string} text @returns {string[] | undefined} */
function filled(text) {
  const all = text.split('\n').map((line) => line.trim());
  const some = all.filter((line) => line !== '');
  return some.length > 0 ? some : undefined;
}
