/** Chooses the control for a field by its schema. */
import { chooseOne, maxNumberButtons, toggle } from './choice.js';
import { images } from './images.js';
import { number, range, seed } from './number.js';
import { points } from './points.js';
import { encodedStyle } from './encoded-style.js';
import { lines, pairs, text } from './text.js';

/**
 * @typedef {object} Control the inputs of one field
 * @property {HTMLElement} element
 * @property {HTMLElement} input the element that the label belongs to and that an error focuses
 * @property {boolean} [group] whether it has several inputs, so that its label is a legend
 * @property {() => unknown} peek the value, without uploads; undefined omits the field
 * @property {() => Promise<unknown>} [resolve] the value to send, if it differs from `peek`, such as the ids of uploads
 * @property {(value: unknown) => void} set undefined clears it
 * @property {() => { name: string, url: string | null }[]} [pictures] images to show beside the result
 *
 * @typedef {object} Context
 * @property {string} id of the input
 * @property {boolean} required
 * @property {() => void} changed
 * @property {(name: string) => Control | undefined} field another field of the form
 */

/** Maximum number of images when the schema names none. */
const maxImages = 8;

/** @param {string} name @param {import('../schema.js').Schema} schema @param {Context} context @returns {Control} */
export function control(name, schema, context) {
  const { type, format, items, minimum, maximum } = schema;
  if (format === 'image-source') return images(schema, context, 1);
  if (items?.format === 'image-source') return images(schema, context, schema.maxItems ?? maxImages);
  if (items?.properties?.x && items.properties.y) return points(schema, context);
  if (type === 'array') return lines(schema, context);
  if (type === 'object') return pairs(schema, context);
  if (schema.enum) return chooseOne(name, schema, context);
  if (type === 'boolean') return toggle(schema, context);
  if (name === 'styleDnaId') return encodedStyle(schema, context);
  if (name === 'seed') return seed(schema, context);
  if (type === 'integer' && maximum - minimum < maxNumberButtons && schema.default !== undefined) {
    const values = Array.from({ length: maximum - minimum + 1 }, (_, index) => minimum + index);
    return chooseOne(name, { ...schema, enum: values }, context);
  }
  if (type === 'number' && maximum !== undefined && schema.default !== undefined) return range(schema, context);
  if (type === 'integer' || type === 'number') return number(schema, context);
  return text(schema, context);
}
