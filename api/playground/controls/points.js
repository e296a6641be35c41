/** Control for points on the form's image: clicked, or typed as pixels from the upper left corner. */
import { h } from '../elements.js';

/** @typedef {{ x: number, y: number, label: 0 | 1 }} Point */

/**
 * @param {import('../schema.js').Schema} schema
 * @param {import('./index.js').Context} context
 * @returns {import('./index.js').Control}
 */
export function points(schema, { id, changed, field }) {
  /** @type {Point[]} */
  let all = [];
  const picture = h('img', { alt: 'Click to place a point', click: addAt, hidden: true });
  const dots = h('div', { class: 'dots' });
  const canvas = h('div', { class: 'canvas' }, picture, dots);
  const listed = h('ol', { class: 'points' });
  const add = h('button', { id, type: 'button', class: 'plain', click: addOne }, 'Add a point');
  const note = h(
    'p',
    { class: 'hint' },
    'Choose an image, then click the object. To exclude something, click it and select “not on it”.',
  );

  // The field of the image may come after this one in the form.
  queueMicrotask(() => field('image')?.element.addEventListener('pictures', showPicture));

  function showPicture() {
    const url = /** @type {any} */ (field('image')).preview();
    picture.hidden = !url;
    if (url) picture.src = url;
    set(undefined);
    changed();
  }
  /** @param {MouseEvent} event */
  function addAt({ offsetX, offsetY }) {
    const across = picture.naturalWidth / picture.clientWidth;
    const down = picture.naturalHeight / picture.clientHeight;
    append({ x: Math.floor(offsetX * across), y: Math.floor(offsetY * down), label: 1 });
  }
  function addOne() {
    append({ x: Math.floor(picture.naturalWidth / 2), y: Math.floor(picture.naturalHeight / 2), label: 1 });
    listed.querySelector('li:last-child input')?.focus();
  }
  /** @param {Point} point */
  function append(point) {
    if (all.length >= (schema.maxItems ?? Infinity)) return;
    all = [...all, point];
    show();
    changed();
  }
  /** @param {number} index @param {Partial<Point> | null} change null removes the point */
  function edit(index, change) {
    all = all.flatMap((point, at) => (at !== index ? [point] : change ? [{ ...point, ...change }] : []));
    if (!change) show();
    draw();
    changed();
  }
  function show() {
    listed.replaceChildren(...all.map((point, index) => row(point, index, edit)));
    draw();
  }
  function draw() {
    dots.replaceChildren(...all.map((point, index) => dot(point, index, picture)));
  }
  /** @param {unknown} value */
  function set(value) {
    all = Array.isArray(value) ? value : [];
    show();
  }
  return {
    element: h('div', {}, note, canvas, listed, add),
    input: add,
    group: true,
    peek: () => (all.length > 0 ? all : undefined),
    set,
  };
}

/** @param {Point} point @param {number} index @param {HTMLImageElement} picture */
function dot({ x, y, label }, index, picture) {
  const element = h('span', { class: label ? 'dot on' : 'dot off' }, String(index + 1));
  element.style.left = `${(100 * (x + 0.5)) / (picture.naturalWidth || 1)}%`;
  element.style.top = `${(100 * (y + 0.5)) / (picture.naturalHeight || 1)}%`;
  return element;
}

/** @param {Point} point @param {number} index @param {(index: number, change: Partial<Point> | null) => void} edit */
function row({ x, y, label }, index, edit) {
  const name = `Point ${index + 1}`;
  const pixel = /** @param {'x' | 'y'} axis @param {number} value */ (axis, value) =>
    h('input', {
      ...{ type: 'number', min: 0, step: 1, value, 'aria-label': `${name}, ${axis}` },
      input: (/** @type {any} */ { target }) => edit(index, { [axis]: target.valueAsNumber || 0 }),
    });
  const on = h('option', { value: 1 }, 'on the object');
  const off = h('option', { value: 0 }, 'not on it');
  const side = h(
    'select',
    {
      'aria-label': `${name}, where it is`,
      change: (/** @type {any} */ { target }) => edit(index, { label: target.value === '1' ? 1 : 0 }),
    },
    on,
    off,
  );
  side.value = String(label);
  const remove = h(
    'button',
    { type: 'button', class: 'plain', click: () => edit(index, null), 'aria-label': `Remove ${name}` },
    '×',
  );
  return h('li', {}, pixel('x', x), pixel('y', y), side, remove);
}
