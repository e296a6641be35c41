/** The encoded styles of the organization, to pick one. Made anew, a style is there at once. */
import { h } from '../elements.js';
import { ask, key } from '../service.js';

/** Fired on the document when the key, or the styles that it sees, are other ones. */
export const stylesChanged = 'styles-changed';

/** @param {import('../schema.js').Schema} _schema @param {import('./index.js').Context} context @returns {import('./index.js').Control} */
export function encodedStyle(_schema, { id, required, changed }) {
  const input = h('select', { id, change: changed, 'aria-required': required });
  const note = h('p', { class: 'hint' });
  async function load() {
    const chosen = input.value;
    const answer = key.get() ? await ask('/v2/style-dna?limit=100').catch(() => null) : null;
    const styles = /** @type {{ id: string, name: string }[]} */ (answer?.items ?? []);
    const options = styles.map(({ id, name }) => h('option', { value: id }, `${name} (${id})`));
    input.replaceChildren(h('option', { value: '' }, required ? 'Choose a style' : 'None'), ...options);
    input.value = styles.some(({ id }) => id === chosen) ? chosen : '';
    note.textContent = styles.length > 0 ? '' : 'None yet: style-dna/generate-anchor makes one.';
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
