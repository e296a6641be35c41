/** Controls for numbers: a slider, a seed with a button for a random value, a plain input. */
import { h } from '../elements.js';

/** @typedef {import('./index.js').Control} Control @typedef {import('./index.js').Context} Context */
/** @typedef {import('../schema.js').Schema} Schema */

/** @param {Schema} schema @param {Context} context @returns {Control} */
export function range(schema, { id, changed }) {
  const { minimum, maximum } = schema;
  const shown = h('output', { for: id });
  const show = () => (shown.value = input.value);
  const input = h('input', {
    ...{ id, type: 'range', min: minimum, max: maximum, step: (maximum - minimum) / 20 },
    input: () => (show(), changed()),
  });
  /** @param {unknown} value */
  const set = (value) => {
    input.value = String(value ?? schema.default);
    show();
  };
  set(undefined);
  const peek = () => (input.valueAsNumber === schema.default ? undefined : input.valueAsNumber);
  return { element: h('div', { class: 'range' }, input, shown), input, peek, set };
}

/** @param {Schema} schema @param {Context} context @returns {Control} */
export function number(schema, { id, required, changed }) {
  const { minimum, maximum, multipleOf, type, default: usual } = schema;
  const input = h('input', {
    ...{ id, type: 'number', min: minimum, max: maximum, inputmode: type === 'integer' ? 'numeric' : 'decimal' },
    ...{ step: multipleOf ?? (type === 'integer' ? 1 : 'any'), 'aria-required': required },
    ...{ placeholder: usual ?? (maximum === undefined ? undefined : `${minimum} to ${maximum}`), input: changed },
  });
  return {
    element: input,
    input,
    peek: () => (Number.isNaN(input.valueAsNumber) ? undefined : input.valueAsNumber),
    set: (value) => (input.value = value === undefined ? '' : String(value)),
  };
}

/** @param {Schema} schema @param {Context} context @returns {Control} */
export function seed(schema, context) {
  const field = number({ ...schema, default: 'random' }, context);
  const roll = () => {
    field.set(crypto.getRandomValues(new Uint32Array(1))[0]);
    context.changed();
  };
  const dice = h('button', { type: 'button', class: 'plain', click: roll, 'aria-label': 'Roll a seed' }, '⚄');
  return { ...field, element: h('div', { class: 'row' }, field.element, dice) };
}
