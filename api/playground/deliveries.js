/** The tries to deliver an artwork's webhook, as the service keeps them. */
import { h } from './elements.js';
import { ask } from './service.js';

/** @param {string} id @returns {Node} */
export function deliveries(id) {
  const rows = h('tbody');
  const note = h('p', { class: 'quiet' });
  const again = h('button', { type: 'button', class: 'plain', click: () => void load() }, 'Look again');
  const head = h('tr', {}, ...['Try', 'Answer', 'Took', 'Next'].map((name) => h('th', { scope: 'col' }, name)));
  async function load() {
    const answer = await ask(`/v2/artworks/${id}/deliveries`).catch((/** @type {Error} */ error) => ({ error }));
    note.textContent = answer.error?.message ?? (answer.items.length === 0 ? 'Not sent yet.' : '');
    rows.replaceChildren(...(answer.items ?? []).map(row));
    return answer.items?.length > 0;
  }
  void load().then((there) => there || setTimeout(() => void load(), 1500));
  return h(
    'div',
    { class: 'deliveries' },
    h('h3', {}, 'Webhook deliveries'),
    h('table', {}, h('thead', {}, head), rows),
    note,
    again,
  );
}

/** @param {any} delivery */
function row({ attempt, status, error, durationMs, nextAt }) {
  const next = nextAt ? new Date(nextAt).toLocaleTimeString() : '–';
  return h('tr', {}, ...[attempt, status ?? error, `${durationMs} ms`, next].map((one) => h('td', {}, String(one))));
}
