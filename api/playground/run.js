/** Sends a form, shows its progress, and shows the result. */
import { stylesChanged } from './controls/encoded-style.js';
import { deliveries } from './deliveries.js';
import { byId, h } from './elements.js';
import { follow } from './progress.js';
import { showArtwork, showResponse } from './result.js';
import { key, Problem, request } from './service.js';

/** @typedef {ReturnType<typeof import('./form.js').createForm>} Form */

/** @param {{ cancelable: boolean, streams: boolean, finished: (artwork: any) => void }} options */
export function createRunner({ cancelable, streams, finished }) {
  const [progress, result] = [byId('progress'), byId('result')];
  let running = new AbortController();

  /** @param {Form} form */
  return async function run(form) {
    running.abort();
    const { signal } = (running = new AbortController());
    form.clear();
    if (!checkKey()) return;
    form.send.disabled = true;
    const ticker = showProgress(progress);
    ticker.say('Sending');
    // Needed where the result is below the form; beside the form, it is already visible.
    byId('outcome').scrollIntoView({ block: 'nearest' });
    try {
      const body = await form.resolve();
      const inputs = form.pictures();
      const response = await request(form.operation.path, { method: 'POST', body });
      form.send.disabled = false;
      if (signal.aborted) return;
      if (!form.operation.artwork) return void result.replaceChildren(...showResponse(response));
      result.replaceChildren(...(cancelable ? [cancelButton(response.id)] : []));
      const artwork = await follow(response.id, {
        onChange: ({ status, stage }) => ticker.say(labels[status] ?? status, stage),
        streams,
        signal,
      });
      result.replaceChildren(...showArtwork(artwork, inputs), body['webhookUrl'] ? deliveries(artwork.id) : '');
      if (artwork.styleDnaId) document.dispatchEvent(new Event(stylesChanged));
      finished(artwork);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status === 401) showKeyError(error.message);
      else form.showProblem(error);
    } finally {
      form.send.disabled = false;
      ticker.end();
    }
  };
}

/** @type {Record<string, string>} */
const labels = { STARTING: 'Accepted', PROCESSING: 'In progress' };

function checkKey() {
  if (key.get() !== '') showKeyError('');
  else showKeyError('Enter an API key. A local service writes one to demo.json in its data folder.');
  return key.get() !== '';
}

/** @param {string} message */
function showKeyError(message) {
  byId('key-error').textContent = message;
  byId('key').setAttribute('aria-invalid', String(message !== ''));
  if (message) byId('key').focus();
}

/** @param {string} id */
function cancelButton(id) {
  const cancel = () => void request(`/v2/artworks/${id}/cancel`, { method: 'POST' }).catch(() => undefined);
  return h('button', { type: 'button', class: 'plain', click: cancel }, 'Cancel');
}

/** Shows the progress. Screen readers announce its changes, but not the seconds. @param {HTMLElement} parent */
function showProgress(parent) {
  const began = performance.now();
  const text = h('span');
  const seconds = h('span', { 'aria-hidden': 'true', class: 'quiet' });
  const timer = setInterval(() => (seconds.textContent = ` ${Math.round((performance.now() - began) / 1000)} s`), 500);
  parent.replaceChildren(h('progress', { 'aria-label': 'Progress' }), text, seconds);
  return {
    /** @param {string} label @param {string} [stage] */
    say(label, stage) {
      const shown = stage ? `${label}: ${stage}` : label;
      if (text.textContent !== shown) text.textContent = shown;
    },
    end() {
      clearInterval(timer);
      // A later request may have replaced this progress.
      if (text.parentNode === parent) parent.replaceChildren(h('span', { class: 'unseen' }, 'Finished'));
    },
  };
}
