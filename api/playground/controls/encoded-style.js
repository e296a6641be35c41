/** A list of the organization's encoded styles. A new style appears without a reload. */
import { h } from '../elements.js';
import { key, request } from '../service.js';

/** The event that the document receives when the key or the organization's styles have changed. */
export const stylesChanged = 'styles-changed';

/** @param {import('../schema.js').Schema} _schema @param {import('./index.js').Context} context @returns {import('./index.js').Control} */
export function encodedStyle(_schema, { id, required, changed }) {
  const input = h('select', { id, change: changed, 'aria-required': required });
  const note = h('p', { class: 'hint' });
  async function load() {
    const chosen = input.value;
    const response = key.get() ? await request('/v2/style-dna?limit=100').catch(() => null) : null;
    const styles = /** @type {{ id: string, name: string }[]} */ (response?.items ?? []);
    const options = styles.map(({ id, name }) => h('option', { value: id }, `${name} (${id})`));
    input.replaceChildren(h('option', { value: '' }, required ? 'Choose a style' : 'None'), ...options);
    input.value = styles.some(({ id }) => id === chosen) ? chosen : '';
    note.textContent = styles.length > 0 ? '' : 'There is no style yet. Create one with style-dna/generate-anchor.';
    changed();
  }
  document.addEventListener(stylesChanged, () => void load());
  void load();
  return {
    element: h('div', {}, input, note),
    input,
    peek: () => input.value || undefined,
    set: (value) => (input.value = String(value ?? '')),
  };
}
