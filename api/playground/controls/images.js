/** Control for images: dropped, chosen, or given as an address. Each file is uploaded once, when the request is sent. */
import { h } from '../elements.js';
import { upload } from '../service.js';

/** @typedef {{ file?: File, name: string, url: string | null, source?: string }} Picture `source`: the value in the request */

/**
 * @param {import('../schema.js').Schema} _schema
 * @param {import('./index.js').Context} context
 * @param {number} max
 * @returns {import('./index.js').Control & { preview(): string | null }}
 */
export function images(_schema, { id, changed }, max) {
  /** @type {Picture[]} */
  let pictures = [];
  const many = max > 1;
  const chooser = h('input', {
    id,
    type: 'file',
    accept: 'image/png,image/jpeg,image/webp',
    multiple: many,
    change: () => addFiles(chooser.files),
  });
  const kept = h('ul', { class: 'kept' });
  const address = h('input', {
    ...{ type: 'text', placeholder: 'or an https address, or file_…', autocomplete: 'off' },
    ...{ 'aria-label': 'Address or file id', change: addAddress },
  });
  const words = many ? `Drop up to ${max} images here, or choose` : 'Drop an image here, or choose';
  // The input covers the zone, so the browser handles clicks and drops.
  const zone = h('div', { class: 'drop' }, h('span', { 'aria-hidden': 'true' }, words), chooser);
  const element = h('div', { class: 'images' }, kept, zone, address);

  /** @param {Picture[]} more */
  function add(more) {
    pictures = many ? [...pictures, ...more].slice(0, max) : more.slice(-1);
    show();
  }
  /** @param {FileList | null | undefined} files */
  function addFiles(files) {
    add([...(files ?? [])].map((file) => ({ file, name: file.name, url: URL.createObjectURL(file) })));
    // Otherwise, a removed file could not be chosen again.
    chooser.value = '';
  }
  function addAddress() {
    const source = address.value.trim();
    address.value = '';
    // The image itself is not shown, because this page loads nothing from other hosts.
    if (source) add([{ name: source, url: null, source }]);
  }
  /** @param {Picture} picture */
  function remove(picture) {
    if (picture.url) URL.revokeObjectURL(picture.url);
    pictures = pictures.filter((one) => one !== picture);
    show();
    chooser.focus();
  }
  function show() {
    kept.replaceChildren(...pictures.map((picture) => item(picture, () => remove(picture))));
    zone.classList.toggle('small', pictures.length > 0);
    element.dispatchEvent(new Event('pictures'));
    changed();
  }
  /** @param {unknown[]} sources */
  const value = (sources) => (sources.length === 0 ? undefined : many ? sources : sources[0]);
  return {
    element,
    input: chooser,
    peek: () => value(pictures.map(({ source }) => source ?? 'file_…')),
    resolve: async () => value(await Promise.all(pictures.map(sourceOf))),
    set: (given) => {
      pictures = [given]
        .flat()
        .flatMap((source) => (source ? [{ name: String(source), url: null, source: String(source) }] : []));
      show();
    },
    pictures: () => pictures,
    preview: () => pictures[0]?.url ?? null,
  };
}

/** @param {Picture} picture */
async function sourceOf(picture) {
  if (picture.file) picture.source ??= await upload(picture.file);
  return picture.source;
}

/** @param {Picture} picture @param {() => void} remove */
function item({ name, url }, remove) {
  const shown = url ? h('img', { src: url, alt: name }) : h('span', { class: 'named' }, name);
  return h(
    'li',
    {},
    shown,
    h('button', { type: 'button', class: 'plain', click: remove, 'aria-label': `Remove ${name}` }, '×'),
  );
}
