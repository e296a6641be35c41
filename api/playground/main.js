/** The playground: the operations of the OpenAPI document, the form of the selected operation, and its result. */
import { stylesChanged } from './controls/encoded-style.js';
import { curl } from './curl.js';
import { byId, h, prose } from './elements.js';
import { createForm } from './form.js';
import { createRunner } from './run.js';
import { readOperations, sharedFields } from './schema.js';
import { key, request } from './service.js';
import { mountWebhook } from './webhook.js';

const wide = matchMedia('(min-width: 60rem)');

/** @type {any} */
let lastArtwork = null;
mountWebhook(byId('webhook'), () => lastArtwork);

const keyInput = byId('key');
keyInput.value = key.get();
keyInput.addEventListener('change', () => {
  key.set(keyInput.value.trim());
  byId('key-error').textContent = '';
  keyInput.removeAttribute('aria-invalid');
  document.dispatchEvent(new Event(stylesChanged));
});

try {
  start(await request('/openapi.json'));
} catch (error) {
  byId('work').replaceChildren(h('p', { class: 'error', role: 'alert' }, /** @type {Error} */ (error).message));
}

/** @param {any} document the OpenAPI document */
function start(document) {
  const operations = readOperations(document);
  const shared = sharedFields(operations);
  const has = (/** @type {string} */ name) => `/v2/artworks/{id}/${name}` in document.paths;
  const run = createRunner({
    cancelable: has('cancel'),
    streams: has('events'),
    finished: (artwork) => (lastArtwork = artwork),
  });
  /** @type {Map<string, ReturnType<typeof createForm>>} kept, so that a form keeps its values while another is shown */
  const forms = new Map();
  const menu = byId('operations');
  for (const [tag, group] of Map.groupBy(operations, (operation) => operation.tag)) {
    const links = group.map(({ name }) => h('li', {}, h('a', { href: `#${name}` }, name.replace(/^[^/]+\//, ''))));
    const id = `group-${tag.replaceAll(' ', '-')}`;
    menu.append(h('h2', { id }, tag), h('ul', { 'aria-labelledby': id }, ...links));
  }

  function show() {
    const operation = operations.find(({ name }) => `#${name}` === location.hash) ?? first();
    if (!operation) return;
    const form = forms.get(operation.name) ?? addForm(operation);
    // The last paragraph of a description names the scope and the domain. Some descriptions have no other.
    const [about = '', needs = ''] = operation.description.split('\n\n');
    byId('work').replaceChildren(
      h('h2', {}, operation.summary),
      h('p', {}, ...prose(needs ? about : '')),
      h('p', { class: 'quiet' }, h('code', {}, `POST ${operation.path}`), ` ${needs || about}`),
      form.element,
    );
    for (const link of menu.querySelectorAll('a')) {
      const current = link.getAttribute('href') === `#${operation.name}`;
      if (current) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    menu.querySelector('summary').textContent = operation.name;
    menu.open = wide.matches;
    showCurl(form);
  }
  const first = () => operations.find(({ name }) => name === 'selena') ?? operations[0];

  /** @param {import('./schema.js').Operation} operation */
  function addForm(operation) {
    const form = createForm(operation, shared, () => showCurl(form));
    form.element.addEventListener('submit', (/** @type {Event} */ event) => {
      event.preventDefault();
      void run(form);
    });
    forms.set(operation.name, form);
    return form;
  }

  /** @param {ReturnType<typeof createForm> | undefined} form */
  function showCurl(form) {
    if (!form?.element.isConnected) return;
    const files = form.pictures().flatMap(({ name, url }) => (url ? [name] : []));
    byId('curl').textContent = curl(form.operation.path, form.peek(), files);
  }

  addEventListener('hashchange', () => {
    show();
    byId('work').focus();
  });
  wide.addEventListener('change', () => (menu.open = wide.matches));
  byId('copy').addEventListener('click', async () => {
    await navigator.clipboard.writeText(byId('curl').textContent);
    byId('copy').textContent = 'Copied';
    setTimeout(() => (byId('copy').textContent = 'Copy'), 1500);
  });
  show();
}
