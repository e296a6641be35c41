/** Shows the result of a request: images beside their input images, text, or errors. */
import { h, title } from './elements.js';
import { local } from './service.js';

/** @typedef {{ name: string, url: string | null, field: string }} Input */

/** @param {any} artwork @param {Input[]} inputs @returns {Node[]} */
export function showArtwork(artwork, inputs) {
  const { status, error, errorCode, images, failures = [], styleDnaId, prompt, input } = artwork;
  const given = inputs.flatMap(({ url, field, name }) =>
    url ? [figure(url, `${field}: ${name}`, [h('b', {}, field), ` ${name}`], 'given')] : [],
  );
  const made = images.map((/** @type {any} */ image) =>
    pictureOf(image, prompt ?? input.instruction ?? artwork.operation),
  );
  return [
    h('p', { class: `status ${status.toLowerCase()}` }, status === 'SUCCEEDED' ? 'Succeeded' : title(status)),
    error && h('p', { class: 'error' }, `${error.message} (${errorCode})`),
    ...failures.map((/** @type {any} */ one) => h('p', { class: 'error' }, `${one.model}: ${one.error.message}`)),
    given.length + made.length > 0 && h('div', { class: 'pictures' }, ...given, ...made),
    styleDnaId && h('p', {}, 'Encoded as ', h('code', {}, styleDnaId), '; the style operations can now use it.'),
    prompt && input.prompt && prompt !== input.prompt && h('p', {}, h('b', {}, 'Prompt sent to the model: '), prompt),
    json('The artwork as JSON', artwork),
  ].filter(Boolean);
}

/** @param {any} image @param {string} words */
function pictureOf({ url, role, model, width, height, seed }, words) {
  const path = local(url);
  const facts = `${model} · ${width}×${height}${seed === null ? '' : ` · seed ${seed}`}`;
  const open = h('a', { href: path, target: '_blank', rel: 'noreferrer' }, 'Open');
  return figure(path, `${title(role)}: ${words}`, [h('b', {}, title(role)), ` ${facts} `, open], 'made');
}

/** @param {string} src @param {string} alt @param {(Node | string)[]} caption @param {string} kind */
const figure = (src, alt, caption, kind) =>
  h('figure', { class: kind }, h('img', { src, alt }), h('figcaption', {}, ...caption));

/** @param {any} response of a synchronous request @returns {Node[]} */
export const showResponse = (response) => [...textsOf(response), json('The response as JSON', response)];

/** Returns the texts of a value; other properties, such as token counts, are only in the JSON. @param {any} value @returns {Node[]} */
function textsOf(value) {
  if (Array.isArray(value)) return [h('ol', { class: 'options' }, ...value.map((one) => h('li', {}, ...textsOf(one))))];
  if (typeof value !== 'object' || value === null) return [h('p', {}, String(value))];
  const shown = Object.entries(value).filter(
    ([name, one]) => name !== 'id' && one !== null && (typeof one === 'string' || Array.isArray(one)),
  );
  return shown.flatMap(([name, one]) => [h('h3', {}, title(name)), ...textsOf(one)]);
}

/** @param {string} words @param {unknown} value */
const json = (words, value) =>
  h(
    'details',
    {},
    h('summary', {}, words),
    h('pre', { tabindex: 0, 'aria-label': words }, JSON.stringify(value, null, 2)),
  );
