/** Lists the delivery attempts of an artwork's webhook. */
import { h } from './elements.js';
import { request } from './service.js';

/** @param {string} id @returns {Node} */
export function deliveries(id) {
  const rows = h('tbody');
  const note = h('p', { class: 'quiet' });
  const refresh = h('button', { type: 'button', class: 'plain', click: () => void load() }, 'Refresh');
  const head = h(
    'tr',
    {},
    ...['Attempt', 'Response', 'Duration', 'Next attempt'].map((name) => h('th', { scope: 'col' }, name)),
  );
  async function load() {
    const response = await request(`/v2/artworks/${id}/deliveries`).catch((/** @type {Error} */ error) => ({ error }));
    note.textContent = response.error?.message ?? (response.items.length === 0 ? 'Not sent yet.' : '');
    rows.replaceChildren(...(response.items ?? []).map(row));
    return response.items?.length > 0;
  }
  // The first attempt may still be running when the artwork has ended.
  void load().then((hasAttempts) => hasAttempts || setTimeout(() => void load(), 1500));
  return h(
    'div',
    { class: 'deliveries' },
    h('h3', {}, 'Webhook deliveries'),
    h('table', {}, h('thead', {}, head), rows),
    note,
    refresh,
  );
}

/** @param {any} delivery */
function row({ attempt, status, error, durationMs, nextAt }) {
  const next = nextAt ? new Date(nextAt).toLocaleTimeString() : '–';
  return h('tr', {}, ...[attempt, status ?? error, `${durationMs} ms`, next].map((one) => h('td', {}, String(one))));
}
