/** Controls for a choice: thumbnails of styles, shapes of aspect ratios, buttons, or a list; and a switch for a boolean. */
import { h, title } from '../elements.js';

/** @typedef {import('./index.js').Control} Control @typedef {import('./index.js').Context} Context */
/** @typedef {import('../schema.js').Schema} Schema */

/** A choice with more values than these is a list. */
const maxWordButtons = 5;
export const maxNumberButtons = 8;

/** Pixels of the longer side of a shape. */
const shapeSide = 26;

/** @param {string} name @param {Schema} schema @param {Context} context @returns {Control} */
export function chooseOne(name, schema, context) {
  const values = /** @type {(string | number)[]} */ (schema.enum);
  if (name === 'style') return radios('pictures', picture, schema, context);
  if (values.every((value) => /^\d+:\d+$/.test(String(value)))) return radios('shapes', shape, schema, context);
  const face = /** @param {string | number} value */ (value) => [typeof value === 'number' ? `${value}` : title(value)];
  const words = values.some((value) => typeof value === 'string');
  if (values.length <= (words ? maxWordButtons : maxNumberButtons)) return radios('buttons', face, schema, context);
  return list(schema, context);
}

/** @param {string | number} id */
const picture = (id) => [
  // A style without a thumbnail shows only its name.
  h('img', {
    src: `/playground/styles/${id}.webp`,
    alt: '',
    width: 72,
    height: 72,
    error: removeTarget,
    loading: 'lazy',
  }),
  h('span', {}, title(String(id))),
];

/** @param {Event} event */
const removeTarget = ({ target }) => /** @type {Element} */ (target).remove();

/** @param {string | number} ratio */
function shape(ratio) {
  const [across = 1, down = 1] = String(ratio).split(':').map(Number);
  const scale = shapeSide / Math.max(across, down);
  const box = h('span', { class: 'shape' });
  box.style.width = `${across * scale}px`;
  box.style.height = `${down * scale}px`;
  return [h('span', { class: 'frame' }, box), h('span', {}, String(ratio))];
}

/**
 * @param {string} look @param {(value: string | number) => (Node | string)[]} face
 * @param {Schema} schema @param {Context} context @returns {Control}
 */
function radios(look, face, schema, { id, required, changed }) {
  const isOptional = !required && schema.default === undefined;
  const option = /** @param {string} value @param {(Node | string)[]} inside */ (value, inside) =>
    h(
      'label',
      {},
      h('input', { type: 'radio', name: id, value, change: changed }),
      h('span', { class: 'face' }, ...inside),
    );
  const none = isOptional ? [option('', [h('span', {}, 'Default')])] : [];
  const options = schema.enum.map(/** @param {string | number} value */ (value) => option(String(value), face(value)));
  const element = h('div', { class: `radios ${look}` }, ...none, ...options);
  const inputs = /** @type {HTMLInputElement[]} */ ([...element.querySelectorAll('input')]);
  const [first] = inputs;
  if (!first) throw new Error('A choice has no options');
  /** @param {unknown} value */
  const set = (value) => {
    for (const input of inputs) input.checked = input.value === String(value ?? schema.default ?? '');
  };
  set(undefined);
  return {
    element,
    input: first,
    group: true,
    peek: () => chosen(schema, inputs.find((input) => input.checked)?.value),
    set,
  };
}

/** @param {Schema} schema @param {Context} context @returns {Control} */
function list(schema, { id, required, changed }) {
  const options = schema.enum.map(/** @param {string} value */ (value) => h('option', { value }, title(value)));
  const none = required || schema.default !== undefined ? [] : [h('option', { value: '' }, 'Default')];
  const input = h('select', { id, change: changed }, ...none, ...options);
  /** @param {unknown} value */
  const set = (value) => (input.value = String(value ?? schema.default ?? ''));
  set(undefined);
  return { element: input, input, peek: () => chosen(schema, input.value), set };
}

/** Returns the value of the schema, because an input holds only text. @param {Schema} schema @param {string | undefined} text */
function chosen(schema, text) {
  const value = schema.enum.find(/** @param {unknown} one */ (one) => String(one) === text);
  return value === schema.default ? undefined : value;
}

/** @param {Schema} schema @param {Context} context @returns {Control} */
export function toggle(schema, { id, changed }) {
  const input = h('input', { id, type: 'checkbox', role: 'switch', change: changed });
  return {
    element: input,
    input,
    peek: () => (input.checked === (schema.default ?? false) ? undefined : input.checked),
    set: (value) => (input.checked = value ?? schema.default ?? false),
  };
}
