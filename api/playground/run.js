/** Sends a form and shows how it goes on, to the end. */
import { stylesChanged } from './controls/encoded-style.js';
import { deliveries } from './deliveries.js';
import { byId, h } from './elements.js';
import { follow } from './progress.js';
import { showAnswer, showArtwork } from './result.js';
import { ask, key, Problem } from './service.js';

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
    if (!keyThere()) return;
    form.send.disabled = true;
    const stop = tick(progress);
    stop.say('Sending');
    // Where it stands below the form. Beside it, it is in sight already.
    byId('outcome').scrollIntoView({ block: 'nearest' });
    try {
      const body = await form.resolve();
      const inputs = form.pictures();
      const answer = await ask(form.operation.path, { method: 'POST', body });
      form.send.disabled = false;
      if (signal.aborted) return;
      if (!form.operation.artwork) return void result.replaceChildren(...showAnswer(answer));
      result.replaceChildren(...(cancelable ? [cancelButton(answer.id)] : []));
      const artwork = await follow(answer.id, {
        tell: ({ status, stage }) => stop.say(words[status] ?? status, stage),
        streams,
        signal,
      });
      result.replaceChildren(...showArtwork(artwork, inputs), body['webhookUrl'] ? deliveries(artwork.id) : '');
      if (artwork.styleDnaId) document.dispatchEvent(new Event(stylesChanged));
      finished(artwork);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && error.status === 401) keyRefused(error.message);
      else form.showProblem(error);
    } finally {
      form.send.disabled = false;
      stop.end();
    }
  };
}

/** @type {Record<string, string>} */
const words = { STARTING: 'Accepted', PROCESSING: 'At work' };

function keyThere() {
  if (key.get() !== '') keyRefused('');
  else keyRefused('The service asks for a key. Locally, demo.json has one.');
  return key.get() !== '';
}

/** @param {string} message */
function keyRefused(message) {
  byId('key-error').textContent = message;
  byId('key').setAttribute('aria-invalid', String(message !== ''));
  if (message) byId('key').focus();
}

/** @param {string} id */
function cancelButton(id) {
  const cancel = () => void ask(`/v2/artworks/${id}/cancel`, { method: 'POST' }).catch(() => undefined);
  return h('button', { type: 'button', class: 'plain', click: cancel }, 'Cancel');
}

/** What is going on, said when it changes; seconds are for the eye only. @param {HTMLElement} place */
function tick(place) {
  const began = performance.now();
  const said = h('span');
  const seconds = h('span', { 'aria-hidden': 'true', class: 'quiet' });
  const timer = setInterval(() => (seconds.textContent = ` ${Math.round((performance.now() - began) / 1000)} s`), 500);
  place.replaceChildren(h('progress', { 'aria-label': 'Progress' }), said, seconds);
  return {
    /** @param {string} what @param {string} [stage] */
    say(what, stage) {
      const text = stage ? `${what}: ${stage}` : what;
      if (said.textContent !== text) said.textContent = text;
    },
    end() {
      clearInterval(timer);
      // A later one may be under way in the same place.
      if (said.parentNode === place) place.replaceChildren(h('span', { class: 'unseen' }, 'Finished'));
    },
  };
}
